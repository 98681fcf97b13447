import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { LandfallRecorder, labels, newId, receipt } from "../landfall.mjs";
import { accepted, patience, startServer, temporaryFolder, until } from "./server.mjs";

const response = (n) => ({notification_id: newId(), provider: "apns", status: 200, token: `a0${n}`});

/** A server and a recorder for it, which end with the test. */
async function ground(t, {respond, ...options} = {}) {
	const server = await startServer(respond), log = [], spool = temporaryFolder();
	const recorder = new LandfallRecorder({
		url: server.url, key: "lf_server_x", spool, log: (text) => log.push(text), ...options,
		bounds: {pause: 20, ...options.bounds}
	});
	t.after(async () => {
		await server.stop();
		await recorder.close(0);
		fs.rmSync(spool, {recursive: true, force: true});
	});
	return {server, recorder, log, spool};
}

test("a response is on disk when record returns, and at the server soon after", async (t) => {
	const {server, recorder, spool} = await ground(t, {sender: "checkout"});
	const sent = response(1);
	assert.equal(recorder.record(sent), true);
	const files = fs.readdirSync(spool).map((name) => fs.readFileSync(path.join(spool, name), "utf8"));
	assert.deepEqual(files.map((text) => JSON.parse(text).notification_id), [sent.notification_id]);
	await until(() => server.items.length === 1);
	const {sent_at, ...rest} = server.items[0];
	assert.ok(Math.abs(Date.now() - sent_at) < 60_000);
	assert.deepEqual(rest, {type: "response", sender: "checkout", ...sent});
	const {url, headers} = server.requests[0];
	assert.equal(url, "/v1/events");
	assert.equal(headers.authorization, "Bearer lf_server_x");
	assert.equal(headers["content-encoding"], "gzip");
	await until(() => fs.readdirSync(spool).length === 0);
});

test("labels are added to what is recorded inside, across awaits, and not outside", async (t) => {
	const {server, recorder} = await ground(t);
	await labels({campaign: "spring", sender: "mailer"}, async () => {
		await new Promise(setImmediate);
		labels({variant: "b"}, () => recorder.record(response(1)));
	});
	recorder.record(response(2));
	assert.equal(await recorder.flush(patience), true);
	const [first, second] = server.items;
	assert.deepEqual([first.campaign, first.variant, first.sender], ["spring", "b", "mailer"]);
	assert.equal(second.campaign, undefined);
});

test("many responses go in few requests", async (t) => {
	const {server, recorder} = await ground(t, {bounds: {fileItems: 100}});
	for (let i = 0; i < 2_500; i += 1) recorder.record(response(i));
	assert.equal(await recorder.flush(patience), true);
	assert.equal(server.items.length, 2_500);
	assert.equal(server.requests.length, 1);
});

test("Retry-After is observed, and nothing is lost", async (t) => {
	const busy = {status: 503, headers: {"Retry-After": "1"}, body: {code: "overloaded", detail: "too much is queued"}};
	const {server, recorder, log} = await ground(t, {respond: (items, count) => count === 1 ? busy : accepted(items)});
	const sent = response(1);
	recorder.record(sent);
	await until(() => server.items.length === 1);
	assert.ok(server.requests[1].at - server.requests[0].at >= 990);
	assert.equal(server.items[0].notification_id, sent.notification_id);
	await until(() => log.length === 2);
	assert.match(log[0], /503 \(too much is queued\)/);
	assert.match(log[1], /work again/);
});

test("flush does not wait longer than a Retry-After allows", async (t) => {
	const {recorder} = await ground(t, {respond: () => ({status: 429, headers: {"Retry-After": "3600"}})});
	recorder.record(response(1));
	// Otherwise, this would take an hour.
	assert.equal(await recorder.flush(3_600), false);
});

test("a server that is away is one line in the log, however often it is asked", async (t) => {
	const {server, recorder, log} = await ground(t, {respond: () => ({status: 500})});
	recorder.record(response(1));
	await until(() => server.requests.length >= 3);
	await server.stop();
	await new Promise((resolve) => setTimeout(resolve, 200));
	assert.equal(log.length, 1);
});

/** The lines that a recorder has on disk. */
const onDisk = (spool) => fs.readdirSync(spool).filter((name) => /\.(jsonl|open)$/.test(name))
	.flatMap((name) => fs.readFileSync(path.join(spool, name), "utf8").trim().split("\n"));

test("a 413 splits the request, and an item that is too large alone is set aside", async (t) => {
	const respond = (items) => items.length > 3 || items.some((item) => item.reason) ? {status: 413} : accepted(items);
	const {server, recorder, spool} = await ground(t, {respond});
	const sent = Array.from({length: 20}, (_, i) => response(i));
	for (const one of sent) recorder.record(one);
	recorder.record({...response(99), reason: "huge"});
	assert.equal(await recorder.flush(patience), true);
	assert.deepEqual(server.items.map((item) => item.token).sort(), sent.map((one) => one.token).sort());
	const aside = JSON.parse(fs.readFileSync(path.join(spool, "rejected.jsonl"), "utf8"));
	assert.equal(aside.token, "a099");
});

test("after a 413, requests grow again", async (t) => {
	let isFirst = true;
	const respond = (items) => {
		const status = isFirst ? 413 : 200;
		isFirst = false;
		return {...accepted(items), status};
	};
	const {server, recorder} = await ground(t, {respond, bounds: {fileItems: 10, pause: 60_000}});
	const round = async () => {
		for (let i = 0; i < 400; i += 1) recorder.record(response(i));
		assert.equal(await recorder.flush(patience), true);
		return server.requests.splice(0).map((request) => request.items.length);
	};
	assert.deepEqual(await round(), [400, 200, 200]);
	assert.deepEqual([await round(), await round()], [[200, 200], [250, 150]]);
	for (let i = 0; i < 3; i += 1) await round();
	assert.deepEqual(await round(), [400]);
});

const faults = [
	[400, "invalid_encoding"], [415, "unsupported_encoding"], [400, "invalid_json"], [413, undefined]
];
for (const [status, code] of faults) {
	test(`if every request fails with ${status} ${code ?? "and no code"}, no response is lost or set aside`, async (t) => {
		let isDamaging = true;
		const respond = (items) => isDamaging ? {status, body: {code, detail: "damaged"}} : accepted(items);
		const {server, recorder, log, spool} = await ground(t, {respond, bounds: {pause: 200}});
		for (let i = 0; i < 100; i += 1) recorder.record(response(i));
		assert.equal(await recorder.flush(0.1), false);
		await until(() => log.length === 1);
		assert.match(log[0], new RegExp(`${status} \\(damaged\\).*nothing is lost`));
		assert.ok(server.requests.length < 100);
		assert.equal(onDisk(spool).length, 100);
		isDamaging = false;
		assert.equal(await recorder.flush(patience), true);
		assert.equal(server.items.length, 100);
		assert.deepEqual(fs.readdirSync(spool), []);
	});
}

test("close ends a request that has no response yet, and what it posted stays on disk", async (t) => {
	const {server, recorder, log, spool} = await ground(t, {respond: () => ({isSilent: true})});
	recorder.record(response(1));
	await until(() => server.requests.length === 1);
	assert.equal(await recorder.close(0.1), false);
	assert.match(log[0], /ended first/);
	assert.equal(onDisk(spool).length, 1);
});

test("a 200 that does not account for every item removes nothing", async (t) => {
	const {server, recorder, log} = await ground(t, {
		respond: (items, count) => count < 3 ? {status: 200, body: {welcome: "to the café"}} : accepted(items)
	});
	const sent = response(1);
	recorder.record(sent);
	await until(() => server.requests.length === 3);
	assert.deepEqual(server.requests[2].items.map((item) => item.notification_id), [sent.notification_id]);
	assert.match(log[0], /not Landfall's response/);
});

test("a rejected item is in the server's quarantine, so it is removed, with one line in the log", async (t) => {
	const {recorder, log, spool} = await ground(t, {
		respond: () => ({status: 422, body: {code: "missing_token", detail: "a response needs a token"}})
	});
	recorder.record({provider: "apns", status: 200});
	assert.equal(await recorder.flush(patience), true);
	assert.deepEqual(fs.readdirSync(spool), []);
	assert.deepEqual(log, ["landfall: the server rejected a response: 422 (a response needs a token)"]);
});

test("a folder that cannot be written to is no error for the sender", async (t) => {
	const file = path.join(temporaryFolder(), "file");
	fs.writeFileSync(file, "");
	const bounds = {memoryItems: 10, pause: 200};
	const {server, recorder, log} = await ground(t, {spool: path.join(file, "spool"), bounds});
	for (let i = 0; i < 15; i += 1) assert.equal(recorder.record(response(i)), false);
	assert.equal(recorder.lost, 5);
	await until(() => log.length === 3);
	assert.equal(server.items.length, 10);
	assert.match(log[0], /wait in memory/);
	assert.match(log[1], /the memory is full/);
	assert.match(log[2], /recorded again, 5 were lost/);
});

test("what waits in memory is bounded by bytes too", async (t) => {
	const file = path.join(temporaryFolder(), "file");
	fs.writeFileSync(file, "");
	const {recorder} = await ground(t, {spool: path.join(file, "spool"), bounds: {memoryBytes: 10_000, pause: 60_000}});
	for (let i = 0; i < 15; i += 1) recorder.record({...response(i), reason: "x".repeat(1_000)});
	assert.equal(recorder.lost, 7);
});

test("a disk that fails is left alone for a while; then what waits in memory is written, and the log has it once",
	async (t) => {
		const respond = (items, count) => count === 1 ? {status: 503, headers: {"Retry-After": "0"}} : accepted(items);
		const {server, recorder, log, spool} = await ground(t, {respond, bounds: {diskPause: 100, calmTime: 200, pause: 10}});
		const {writeSync} = fs, start = performance.now();
		const clock = t.mock.method(performance, "now", () => start);
		let attempts = 0;
		t.mock.method(fs, "writeSync", (...words) => {
			attempts += 1;
			if (attempts > 1) return writeSync(...words);
			throw Object.assign(new Error("ENOSPC: no space left on device, write"), {code: "ENOSPC"});
		});
		for (let i = 0; i < 50; i += 1) assert.equal(recorder.record(response(i)), false);
		assert.equal(attempts, 1);
		clock.mock.restore();
		await until(() => attempts > 50 || server.items.length === 50);
		await until(() => {
			recorder.record(response(99));
			return log.some((line) => /can be written again/.test(line));
		});
		assert.equal(await recorder.flush(patience), true);
		assert.equal(new Set(server.items.map((item) => item.notification_id)).size, server.items.length);
		assert.ok(server.items.length > 50);
		assert.equal(log.filter((line) => /wait in memory/.test(line)).length, 1);
		assert.deepEqual(fs.readdirSync(spool), []);
	});

test("a file that cannot be removed is not posted again, and is removed later", async (t) => {
	const {server, recorder, spool} = await ground(t);
	const removal = t.mock.method(fs, "rmSync", () => {
		throw Object.assign(new Error("EROFS: read-only file system, rm"), {code: "EROFS"});
	});
	recorder.record(response(1));
	assert.equal(await recorder.flush(patience), true);
	recorder.record(response(2));
	assert.equal(await recorder.flush(patience), true);
	assert.deepEqual(server.items.map((item) => item.token), ["a01", "a02"]);
	assert.equal(fs.readdirSync(spool).filter((name) => name.endsWith(".jsonl")).length, 2);
	removal.mock.restore();
	recorder.record(response(3));
	assert.equal(await recorder.flush(patience), true);
	assert.deepEqual([fs.readdirSync(spool), server.items.length], [[], 3]);
});

test("files of the client for Python in the same folder are left alone", async (t) => {
	const {server, recorder, spool} = await ground(t);
	const names = ["1795424400000-17-0a1b2c3d.ndjson", "rejected.ndjson"];
	for (const name of names) fs.writeFileSync(path.join(spool, name), '{"type":"response"}\n');
	recorder.record(response(1));
	assert.equal(await recorder.flush(patience), true);
	assert.deepEqual(server.items.map((item) => item.token), ["a01"]);
	assert.deepEqual(fs.readdirSync(spool).sort(), names);
});

test("what a power loss left of a line is not posted", async (t) => {
	const {server, recorder, spool} = await ground(t);
	fs.writeFileSync(path.join(spool, "1-1-0a.jsonl"), '{"token":"a0"}\n\0\0{"token":"a1"}\n{"tok\n{"token":"a2"}\n{"to');
	assert.equal(await recorder.flush(patience), true);
	assert.deepEqual(server.items, [{token: "a0"}, {token: "a2"}]);
	assert.deepEqual(fs.readdirSync(spool), []);
});

test("a response that the server would not read is not recorded", async (t) => {
	const {recorder, log} = await ground(t);
	assert.equal(recorder.record({...response(1), reason: "x".repeat(65_536)}), false);
	assert.equal(recorder.lost, 1);
	assert.match(log[0], /at most 65536/);
});

test("a key with another character is an error that does not contain it", () => {
	const make = (key) => () => new LandfallRecorder({url: "https://push.example.com", key, spool: temporaryFolder()});
	for (const key of ["lf_server_x\n", "lf_server_a\nb", "lf_server_\u00e9", "lf server"]) {
		assert.throws(make(key), (error) => error instanceof TypeError && !error.message.includes(key));
	}
});

test("the spool is bounded; what was recorded before stays, and record says what is lost", async (t) => {
	let isAway = true;
	const {server, recorder, spool} = await ground(t, {
		respond: (items) => isAway ? {status: 503, headers: {"Retry-After": "0"}} : accepted(items),
		bounds: {spoolBytes: 100_000, fileBytes: 10_000}
	});
	const kept = [];
	for (let i = 0; i < 1_000; i += 1) {
		const one = response(i);
		if (recorder.record(one)) kept.push(one.notification_id);
	}
	assert.equal(kept.length + recorder.lost, 1_000);
	assert.ok(kept.length > 200 && kept.length < 800, `${kept.length}`);
	const size = fs.readdirSync(spool).reduce((sum, name) => sum + fs.statSync(path.join(spool, name)).size, 0);
	assert.ok(size <= 100_000, `${size}`);
	isAway = false;
	assert.equal(await recorder.flush(patience), true);
	assert.deepEqual(server.items.map((item) => item.notification_id).sort(), kept.sort());
});

test("what cannot be JSON is not recorded, and no error", async (t) => {
	const {recorder, log} = await ground(t);
	assert.equal(recorder.record({provider: "fcm", status: 1n}), false);
	assert.match(log[0], /not JSON/);
});

test("an id has version 7 and its time", () => {
	const ids = Array.from({length: 100}, () => newId(1_795_424_400_000));
	for (const id of ids) assert.match(id, /^01a207[\da-f]{2}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
	assert.equal(parseInt(ids[0].replaceAll("-", "").slice(0, 12), 16), 1_795_424_400_000);
	assert.equal(new Set(ids).size, 100);
});

test("a receipt is the first 16 bytes of the HMAC of a UUID's bytes, or of a text", () => {
	// python3 -c 'import base64,hmac,uuid; print(base64.urlsafe_b64encode(hmac.digest(b"lf_receipt_k",
	//   uuid.UUID("0b7e3c1e-6d0a-4f6b-9d43-0a8f7c1d2e3f").bytes, "sha256")[:16]).rstrip(b"="))'
	assert.equal(receipt("lf_receipt_k", "0b7e3c1e-6d0a-4f6b-9d43-0a8f7c1d2e3f"), "g0ad8TAifeYNw0naG2_mDg");
	// One of Tests/TrustTests/vectors.json.
	const key = "lf_receipt_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
	assert.equal(receipt(key, "order-4711"), "LqAYmAtuP1j-Xccn0fGrpw");
	assert.equal(receipt("lf_receipt_k", " Cafe\u0301\ufeff"), receipt("lf_receipt_k", "Caf\u00e9"));
});
