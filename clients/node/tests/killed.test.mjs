import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { LandfallRecorder } from "../landfall.mjs";
import { accepted, startServer, temporaryFolder, until } from "./server.mjs";

const sender = fileURLToPath(new URL("sender.mjs", import.meta.url));

/** Starts a sender. `recorded` are the ids that it has printed, `ended` resolves to its exit code. */
function start(...words) {
	const child = spawn(process.execPath, [sender, ...words], {stdio: ["ignore", "pipe", "inherit"]});
	let text = "";
	child.stdout.on("data", (chunk) => { text += chunk; });
	const ended = new Promise((resolve) => child.on("close", resolve));
	return {child, ended, recorded: () => text.split("\n").slice(0, -1)};
}

/** The lines of the files that can be uploaded. */
const lines = (spool) => fs.readdirSync(spool).filter((name) => name.endsWith(".jsonl"))
	.flatMap((name) => fs.readFileSync(`${spool}/${name}`, "utf8").trim().split("\n"));

test("senders that share a folder are killed with -9, and nothing that was recorded is lost", async (t) => {
	const busy = {status: 503, headers: {"Retry-After": "0"}};
	const server = await startServer((items, count) => count % 3 ? accepted(items) : busy);
	const spool = temporaryFolder(), recorded = [];
	t.after(() => server.stop());
	for (let round = 0; round < 4; round += 1) {
		const senders = [0, 1, 2].map(() => start(server.url, spool, "1000000", "1"));
		for (const [i, one] of senders.entries()) {
			await until(() => one.recorded().length > 30 + 150 * ((round + i) % 3));
			one.child.kill("SIGKILL");
		}
		for (const one of senders) {
			await one.ended;
			recorded.push(...one.recorded());
		}
	}
	const bounds = {pause: 20, appendTime: 50, adoptTime: 4_000};
	const last = new LandfallRecorder({url: server.url, key: "lf_server_x", spool, bounds});
	t.after(() => last.close(0));
	const arrived = () => new Set(server.items.map((item) => item.notification_id));
	await until(() => {
		const ids = arrived();
		return recorded.every((id) => ids.has(id));
	});
	assert.ok(recorded.length > 1_000);
	await until(() => fs.readdirSync(spool).length === 0);
	// At most one response for each sender that was killed was recorded, but not printed.
	assert.ok(arrived().size - recorded.length <= 12, `${arrived().size} of ${recorded.length}`);
});

test("a process that ends uploads what waits, and ends", async (t) => {
	const server = await startServer();
	t.after(() => server.stop());
	const one = start(server.url, temporaryFolder(), "50", "0");
	assert.equal(await one.ended, 0);
	assert.deepEqual(server.items.map((item) => item.notification_id).sort(), one.recorded().sort());
	assert.equal(server.items.length, 50);
});

test("a process that cannot reach the server ends all the same, and keeps what waits", async () => {
	const server = await startServer(), spool = temporaryFolder();
	await server.stop();
	const one = start(server.url, spool, "50", "0", '{"exitTime":200}');
	assert.equal(await one.ended, 0);
	assert.equal(lines(spool).length, 50);
});

test("a process whose last upload gets no response ends all the same, and keeps what waits", async (t) => {
	const server = await startServer(() => ({isSilent: true}));
	t.after(() => server.stop());
	// A slow machine may need longer than `exitTime` to post anything: then it gets twice as much.
	for (let exitTime = 200; server.requests.length === 0; exitTime *= 2) {
		const spool = temporaryFolder();
		const one = start(server.url, spool, "50", "0", JSON.stringify({pause: 3_600_000, exitTime, requestTime: 3_600_000}));
		assert.equal(await one.ended, 0);
		assert.equal(lines(spool).length, 50);
	}
	assert.equal(server.requests.length, 1);
});
