// Records what push providers return, and posts it to Landfall: clients/node/README.md
import { AsyncLocalStorage } from "node:async_hooks";
import { createHmac, randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

const compress = promisify(gzip);

/**
 * Bounds of a recorder; times are in milliseconds.
 *
 * A file is appended to for `appendTime` after the instant in its name. After `adoptTime`, any process may
 * upload it, because its writer was killed. A disk that is full or fails is left alone for `diskPause`, and works
 * again once it has not failed for `calmTime`. The server reads no item of more than `lineBytes`.
 */
const defaults = {
	spoolBytes: 256 * 2 ** 20, fileBytes: 2 ** 20, fileItems: 1_000, lineBytes: 64 * 2 ** 10,
	memoryItems: 1_000, memoryBytes: 8 * 2 ** 20, diskPause: 5_000, calmTime: 60_000,
	requestItems: 5_000, requestBytes: 4 * 2 ** 20, requestTime: 30_000,
	pause: 1_000, longestPause: 60_000, exitTime: 5_000, appendTime: 5_000, adoptTime: 15_000
};

/** Items on disk, one JSON object per line, in a folder that several processes share. */
class Spool {
	#folder;
	#bounds;
	#file;
	#lock;
	#owner = `${os.hostname()} ${process.pid} ${randomBytes(6).toString("hex")}`;
	/** The bytes that files may be created for until the folder is measured again. */
	#room = 0;
	#fullUntil = 0;
	#failure;
	#failedAt = -Infinity;
	/** The names of uploaded files that could not be removed, on a read-only disk for example. */
	#done = new Set();

	constructor(folder, bounds) {
		this.#folder = folder;
		this.#bounds = bounds;
		this.#lock = this.#at("uploading");
	}

	#at(name) { return path.join(this.#folder, name); }

	#names(...endings) {
		try {
			return fs.readdirSync(this.#folder).filter((name) => endings.includes(path.extname(name))).sort();
		} catch {
			return [];
		}
	}

	/** Writes the line to disk, or throws. After a failure, it throws the same for a while without trying. */
	append(line, now) {
		const {diskPause, fileBytes, fileItems, appendTime} = this.#bounds, bytes = Buffer.from(line + "\n");
		if (this.#failure && performance.now() < this.#failedAt + diskPause) throw this.#failure;
		const file = this.#file;
		const isFull = file && (file.bytes + bytes.length > fileBytes || file.items >= fileItems);
		if (isFull || file && Math.abs(now - file.at) > appendTime) this.close();
		try {
			this.#file ??= this.#create(now, Math.max(fileBytes, bytes.length));
			const written = fs.writeSync(this.#file.descriptor, bytes);
			// Readers ignore a line that does not end.
			if (written !== bytes.length) throw new Error("only a part could be written");
		} catch (error) {
			if (!(error instanceof SpoolFull)) this.#fail(error);
			throw error;
		}
		this.#failure = undefined;
		this.#file.bytes += bytes.length;
		this.#file.items += 1;
	}

	#fail(error) {
		this.#failure = error;
		this.#failedAt = performance.now();
		this.close();
	}

	/** Whether the last line was written, and none has failed for a while. */
	isWorking() { return !this.#failure && performance.now() > this.#failedAt + this.#bounds.calmTime; }

	#create(now, bytes) {
		if (performance.now() < this.#fullUntil) throw new SpoolFull();
		fs.mkdirSync(this.#folder, {recursive: true, mode: 0o700});
		if (this.#room < bytes) {
			const stat = (name) => fs.statSync(this.#at(name), {throwIfNoEntry: false});
			this.#allot(this.#names(".open", ".jsonl").map(stat));
		}
		if (this.#room < bytes) {
			this.#fullUntil = performance.now() + this.#bounds.diskPause;
			throw new SpoolFull();
		}
		this.#room -= bytes;
		const name = `${now}-${process.pid}-${randomBytes(6).toString("hex")}`;
		return {descriptor: fs.openSync(this.#at(name + ".open"), "ax", 0o600), name, at: now, bytes: 0, items: 0};
	}

	/** Measures the folder in the background, so that `append` rarely has to. */
	async measure() {
		const stats = [];
		for (const name of this.#names(".open", ".jsonl")) {
			stats.push(await fs.promises.stat(this.#at(name)).catch(() => undefined));
		}
		this.#allot(stats);
		if (this.#room >= this.#bounds.fileBytes) this.#fullUntil = 0;
	}

	/** The room for the next files; a small file needs a whole block of the disk. */
	#allot(stats) {
		const {fileBytes, spoolBytes} = this.#bounds;
		const used = stats.reduce((sum, file) => sum + Math.max(file?.size ?? 0, (file?.blocks ?? 0) * 512), 0);
		this.#room = Math.min(16 * fileBytes, spoolBytes - used - (this.#file ? fileBytes : 0));
	}

	/** Ends the file that is appended to, so that it can be uploaded; never throws. */
	close() {
		const file = this.#file;
		if (!file) return;
		this.#file = undefined;
		try {
			fs.closeSync(file.descriptor);
			fs.renameSync(this.#at(file.name + ".open"), this.#at(file.name + ".jsonl"));
		} catch { /* it is adopted later */ }
	}

	/** Ends what killed processes left, and removes what could not be removed before. */
	adopt(now) {
		for (const name of this.#done) this.#remove(name);
		for (const name of this.#names(".open")) {
			if (Math.abs(now - parseInt(name)) < this.#bounds.adoptTime || name === this.#file?.name + ".open") continue;
			try {
				fs.renameSync(this.#at(name), this.#at(name.replace(/open$/, "jsonl")));
			} catch { /* another process was faster */ }
		}
	}

	/** The names of the files that can be uploaded, the oldest first. */
	ready() { return this.#names(".jsonl").filter((name) => name !== "rejected.jsonl" && !this.#done.has(name)); }

	hasOpen() { return this.#names(".open").length > 0; }

	/** The lines of a file, and a function that removes it unless it has grown. */
	read(name) {
		const bytes = fs.readFileSync(this.#at(name));
		// After a power loss, a file may contain zeros.
		const lines = bytes.toString().split("\n").slice(0, -1).filter((line) => /^\{[^\0]*\}$/.test(line));
		const remove = () => {
			const size = fs.statSync(this.#at(name), {throwIfNoEntry: false})?.size;
			if (size === bytes.length) this.#remove(name);
		};
		return {lines, bytes: bytes.length, remove};
	}

	/** Removes a file. If that fails, this process does not upload it again. */
	#remove(name) {
		try {
			fs.rmSync(this.#at(name), {force: true});
			this.#done.delete(name);
		} catch {
			this.#done.add(name);
		}
	}

	/** Keeps a line that the server can never read. */
	setAside(line) { fs.appendFileSync(this.#at("rejected.jsonl"), line + "\n", {mode: 0o600}); }

	/** Whether this process may upload now. Two that do only post duplicates, which are not counted. */
	lock(now) {
		try {
			fs.writeFileSync(this.#lock, this.#owner, {flag: "wx"});
			return true;
		} catch (error) {
			// Without a folder to write to, there is only what waits in memory.
			if (error.code !== "EEXIST") return true;
		}
		try {
			const owner = fs.readFileSync(this.#lock, "utf8"), [host, pid] = owner.split(" ");
			const isOld = Math.abs(now - fs.statSync(this.#lock).mtimeMs) > this.#bounds.requestTime + 10_000;
			const isLeft = isOld || owner === this.#owner || host === os.hostname() && isDead(Number(pid));
			if (!isLeft) return false;
		} catch {
			return false;
		}
		try { fs.writeFileSync(this.#lock, this.#owner); } catch { /* the disk is read-only now */ }
		return true;
	}

	/** Keeps the lock for longer. */
	keepLock() {
		try { fs.utimesSync(this.#lock, new Date(), new Date()); } catch { /* there is no folder */ }
	}

	unlock() {
		try { fs.rmSync(this.#lock, {force: true}); } catch { /* there is no folder */ }
	}
}

/** The folder has as many bytes as it may. */
class SpoolFull extends Error {}

function isDead(pid) {
	try {
		process.kill(pid, 0);
		return false;
	} catch (error) {
		return error.code === "ESRCH";
	}
}

/** A request that has to be repeated. */
class Later extends Error {
	constructor(text, wait) {
		super(text);
		this.wait = wait;
	}
}

/** The milliseconds of a Retry-After, which has seconds or a date (RFC 9110, 10.2.3). */
function retryAfter(value, now) {
	if (!value) return undefined;
	const wait = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
	return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), 3_600_000);
}

/** The parts of a response that matter here; `text` is for the log. */
async function result(response) {
	const {status} = response, body = parsed(await response.text()) ?? {};
	const detail = body.detail ?? (status === 200 ? "not Landfall's response" : response.statusText);
	const text = `${status} (${detail})`;
	return {status, body, text, retryAfter: retryAfter(response.headers.get("retry-after"), Date.now())};
}

/**
 * Records what push providers return: on disk when `record` returns, on Landfall soon after. It never delays
 * or fails a push.
 */
export class LandfallRecorder {
	#address;
	#key;
	#spool;
	#log;
	#bounds;
	#memory = [];
	#memoryBytes = 0;
	#lost = 0;
	#sender;
	#troubles = new Set();
	#failures = 0;
	#notBefore = 0;
	#timer;
	#uploading;
	#isExiting = false;
	#requestItems;
	/** Aborts the upload that is under way. */
	#ending = new AbortController();

	/**
	 * @param {object} options
	 * @param {string} options.url the server's, such as `https://push.example.com`
	 * @param {string} options.key a server key, `lf_server_…`
	 * @param {string} options.spool a folder for what waits; all processes of one sender may share it
	 * @param {string} [options.sender] the service that sends, such as `checkout`
	 * @param {string} [options.receiptKey] signs receipts (docs/trust.md)
	 * @param {(text: string) => void} [options.log] gets one line per trouble; `console.warn` by default
	 * @param {Partial<typeof defaults>} [options.bounds] other bounds than the defaults
	 */
	constructor({url, key, spool, sender, receiptKey, log = console.warn, bounds = {}}) {
		if (!/^https?:\/\//.test(url)) throw new TypeError(`url is ${url}: it must begin with https:// or http://`);
		if (!key || !spool) throw new TypeError("key and spool are required; create a key with landfall key create");
		// Without its text, which is a secret.
		if (!/^[\w-]+$/.test(key)) throw new TypeError("key may only contain letters, digits, _ and -: copy it again");
		this.#address = url.replace(/\/+$/, "") + "/v1/events";
		if (/^lf_(device|report|hook|receipt|account)_/.test(key)) {
			throw new TypeError("key is no server key: create one with landfall key create --kind server");
		}
		this.#key = key;
		this.#sender = sender;
		this.receiptKey = receiptKey;
		this.#bounds = {...defaults, ...bounds};
		this.#requestItems = this.#bounds.requestItems;
		this.#spool = new Spool(spool, this.#bounds);
		this.#log = log;
		process.on("beforeExit", this.#beforeExit);
		process.on("exit", this.#exit);
		this.#schedule(this.#bounds.pause);
	}

	/**
	 * Records a response, with the fields of docs/http.md and those of `labels`.
	 *
	 * @param {{notification_id?: string, message_id?: string, provider?: string, status?: number | string,
	 *   token?: string, sent_at?: number, [field: string]: unknown}} response `type` is `response` and `sent_at`
	 *   is now unless they are given
	 * @returns {boolean} true: it is on disk. false: the log says why; it waits in memory if the disk cannot be
	 *   written to, and is lost if the spool is full
	 */
	record(response) {
		let line;
		try {
			const common = {type: "response", sent_at: Date.now(), sender: this.#sender};
			line = JSON.stringify({...common, ...current.getStore(), ...response});
		} catch (error) {
			this.#trouble("record", `a response is not JSON and is not recorded: ${error.message}`);
			return false;
		}
		const isOnDisk = this.#store(line);
		this.#schedule(this.#bounds.pause);
		return isOnDisk;
	}

	#store(line) {
		const bytes = Buffer.byteLength(line), {lineBytes, memoryItems, memoryBytes} = this.#bounds;
		if (bytes > lineBytes) {
			return this.#lose("line", `a response of ${bytes} bytes is not recorded: at most ${lineBytes} are`);
		}
		try {
			this.#spool.append(line, Date.now());
			return true;
		} catch (error) {
			const lost = "further responses are lost until an upload succeeds";
			if (error instanceof SpoolFull) return this.#lose("full", `the spool is full, ${lost}`);
			this.#trouble("spool", `the spool cannot be written, responses wait in memory: ${error.message}`);
			if (this.#memory.length >= memoryItems || this.#memoryBytes + bytes > memoryBytes) {
				return this.#lose("memory", `the memory is full, ${lost}`);
			}
			this.#memory.push(line);
			this.#memoryBytes += bytes;
			return false;
		}
	}

	/** Writes what waits in memory to disk, once that works again. */
	#emptyMemory() {
		try {
			for (; this.#memory.length; this.#forget(1)) this.#spool.append(this.#memory[0], Date.now());
		} catch { /* it is posted from memory */ }
		if (this.#spool.isWorking()) this.#over("spool", "the spool can be written again");
	}

	#forget(count) {
		for (const line of this.#memory.splice(0, count)) this.#memoryBytes -= Buffer.byteLength(line);
	}

	#lose(kind, text) {
		this.#lost += 1;
		this.#trouble(kind, text);
		return false;
	}

	/** Writes a line about a trouble that was not there before. */
	#trouble(kind, text) {
		if (this.#troubles.has(kind)) return;
		this.#troubles.add(kind);
		this.#say(text);
	}

	/** Writes a line if the trouble was there. */
	#over(kind, text) {
		if (this.#troubles.delete(kind)) this.#say(text);
	}

	#say(text) {
		try { this.#log(`landfall: ${text}`); } catch { /* the log's own trouble */ }
	}

	/** The number of responses that this process had to drop. */
	get lost() { return this.#lost; }

	#schedule(wait) {
		this.#timer ??= setTimeout(() => {
			this.#timer = undefined;
			this.#upload();
		}, Math.max(wait, this.#notBefore - Date.now())).unref();
	}

	/** Uploads what can be uploaded, one request after the other; never rejects. */
	#upload() {
		this.#uploading ??= this.#uploadAll().catch((error) => {
			this.#failures += 1;
			const wait = Math.min(this.#bounds.pause * 2 ** (this.#failures - 1), this.#bounds.longestPause);
			this.#notBefore = Date.now() + (error.wait ?? wait * (0.5 + Math.random() / 2));
			this.#trouble("upload", `${error.message}; nothing is lost, uploads are repeated`);
		}).then(() => {
			this.#uploading = undefined;
			if (this.#waits() || this.#spool.hasOpen()) this.#schedule(this.#bounds.pause);
		});
		return this.#uploading;
	}

	async #uploadAll() {
		this.#ending = new AbortController();
		this.#emptyMemory();
		this.#spool.close();
		this.#spool.adopt(Date.now());
		if (!this.#waits() || !this.#spool.lock(Date.now())) return;
		try {
			for (let batch = this.#batch(); batch.lines.length || batch.removals.length; batch = this.#batch()) {
				await this.#post(batch.lines);
				for (const remove of batch.removals) remove();
				this.#spool.close();
			}
		} finally {
			this.#spool.unlock();
			await this.#spool.measure();
		}
		this.#over("upload", "uploads work again");
		for (const kind of ["full", "memory"]) this.#over(kind, `responses are recorded again, ${this.#lost} were lost`);
		this.#failures = 0;
	}

	#waits() { return this.#memory.length > 0 || this.#spool.ready().length > 0; }

	/** What waits in memory; otherwise the oldest files, as many as one request may contain. */
	#batch() {
		const lines = [], removals = [];
		let bytes = 0;
		if (this.#memory.length) {
			for (const line of this.#memory.slice(0, this.#requestItems)) {
				bytes += Buffer.byteLength(line);
				if (lines.length && bytes > this.#bounds.requestBytes) break;
				lines.push(line);
			}
			return {lines, removals: [() => this.#forget(lines.length)]};
		}
		for (const name of this.#spool.ready()) {
			let file;
			try {
				file = this.#spool.read(name);
			} catch (error) {
				if (error.code === "ENOENT") continue;
				throw error;
			}
			bytes += file.bytes;
			const count = lines.length + file.lines.length;
			if (removals.length && (count > this.#requestItems || bytes > this.#bounds.requestBytes)) break;
			lines.push(...file.lines);
			removals.push(() => file.remove());
		}
		return {lines, removals};
	}

	/** Posts the lines. Throws what is to be repeated. */
	async #post(lines) {
		if (!lines.length) return;
		const most = this.#requestItems, verdict = {read: 0, rejected: []};
		await this.#deliver(lines, verdict);
		if (!verdict.read) throw this.#unread(verdict);
		for (const [line, text] of verdict.rejected) this.#setAside(line, text);
		if (this.#requestItems === most) this.#requestItems = Math.min(most + 1 + (most >> 3), this.#bounds.requestItems);
	}

	/**
	 * Posts the lines, in halves if the server cannot read the whole. Counts what it read in the verdict, and adds
	 * the lines to it that it cannot read even alone.
	 */
	async #deliver(lines, verdict) {
		this.#spool.keepLock();
		const {status, body, text, retryAfter: wait} = await this.#request(lines);
		const isAccounted = status === 200 && body.accepted + body.duplicates + body.rejected === lines.length;
		// With a 422, the server has the item in quarantine.
		if (isAccounted || status === 422 && body.code && lines.length === 1) {
			verdict.read += lines.length;
			const detail = isAccounted ? body.errors?.[0]?.detail : text;
			if (!isAccounted || body.rejected) this.#trouble("rejected", `the server rejected a response: ${detail}`);
			return;
		}
		// A proxy's 413 is a page without a code.
		if (status === 413 || status === 400 && body.code === "invalid_json") {
			if (lines.length > 1) return this.#halve(lines, status, verdict);
			verdict.rejected.push([lines[0], text]);
			if (!verdict.read && verdict.rejected.length >= 20) throw this.#unread(verdict);
			return;
		}
		const isKey = status === 401 || status === 403;
		throw new Later(
			`${this.#address} responded with ${text}${isKey ? ": check the key" : ""}`,
			wait ?? (isKey ? this.#bounds.longestPause : undefined));
	}

	async #halve(lines, status, verdict) {
		const half = lines.length >> 1;
		if (status === 413) this.#requestItems = half;
		await this.#deliver(lines.slice(0, half), verdict);
		await this.#deliver(lines.slice(half), verdict);
	}

	/** If no line of a request can be read, the fault is not in the lines: a proxy may damage all of them. */
	#unread({rejected}) {
		this.#requestItems = this.#bounds.requestItems;
		return new Later(`${this.#address} cannot read any response (${rejected[0][1]})`);
	}

	#setAside(line, text) {
		try {
			this.#spool.setAside(line);
			this.#trouble("aside", `the server cannot read a response (${text}), rejected.jsonl in the spool has it`);
		} catch (error) {
			this.#lose("aside", `the server cannot read a response (${text}), and it is lost: ${error.message}`);
		}
	}

	async #request(lines) {
		const headers = {
			"Authorization": `Bearer ${this.#key}`, "Content-Type": "application/x-ndjson", "Content-Encoding": "gzip"
		};
		const ending = this.#ending, timeout = () => ending.abort(new Error("no response in time"));
		const timer = setTimeout(timeout, this.#bounds.requestTime).unref();
		try {
			const body = await compress(lines.join("\n") + "\n");
			const request = {method: "POST", headers, body, redirect: "manual", signal: ending.signal};
			return await result(await fetch(this.#address, request));
		} catch (error) {
			throw new Later(`${this.#address} cannot be reached (${error.cause?.message ?? error.message})`);
		} finally {
			clearTimeout(timer);
		}
	}

	/** Writes a line about a problem of sending, once of each kind. */
	note(kind, text) { this.#trouble(kind, text); }

	/**
	 * Uploads what waits, before the process ends.
	 *
	 * @param {number} [seconds]
	 * @returns {Promise<boolean>} false: some of it still waits on disk, and another start uploads it
	 */
	async flush(seconds = 10) {
		const deadline = Date.now() + seconds * 1_000;
		for (;;) {
			const now = Date.now();
			const next = Math.max(now, this.#notBefore);
			if (next <= deadline) {
				await sleep(next - now);
				await Promise.race([this.#upload(), sleep(deadline - next, undefined, {ref: false})]);
			}
			this.#spool.close();
			if (!this.#waits()) return true;
			if (Date.now() >= deadline || this.#notBefore > deadline) return false;
			await sleep(50);
		}
	}

	#beforeExit = () => {
		if (this.#isExiting) return;
		this.#isExiting = true;
		this.flush(this.#bounds.exitTime / 1_000).then(() => this.#abort());
	};

	/** Ends a request that is still under way, because it would keep the process alive. */
	#abort() { this.#ending.abort(new Error("the process or the recorder ended first")); }

	#exit = () => {
		try { this.#spool.close(); } catch { /* the next start adopts it */ }
	};

	/** Uploads what waits, and ends the recorder. */
	async close(seconds = 10) {
		process.off("beforeExit", this.#beforeExit);
		process.off("exit", this.#exit);
		const isDone = await this.flush(seconds);
		this.#abort();
		await this.#uploading;
		clearTimeout(this.#timer);
		return isDone;
	}
}

/** @type {AsyncLocalStorage<Record<string, string>>} */
const current = new AsyncLocalStorage();

/**
 * Adds `campaign`, `variant` or `sender` to every response that is recorded while `body` runs, in everything
 * that it awaits too.
 *
 * @template T
 * @param {Record<string, string>} names
 * @param {() => T} body
 * @returns {T} what `body` returns
 */
export function labels(names, body) { return current.run({...current.getStore(), ...names}, body); }

/** A UUID of version 7, which contains the time in milliseconds (RFC 9562, 5.7). */
export function newId(now = Date.now()) {
	const bytes = randomBytes(16);
	bytes.writeUIntBE(now, 0, 6);
	bytes[6] = bytes[6] & 0x0f | 0x70;
	bytes[8] = bytes[8] & 0x3f | 0x80;
	return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** The receipt of a notification's or message's id, a UUID or any other text: 22 characters (docs/trust.md). */
export function receipt(key, id) {
	const text = String(id).replace(/^[\s\u200b\u2060\u200e\u200f]+|[\s\u200b\u2060\u200e\u200f]+$/g, "").normalize("NFC");
	const bytes = isUUID(text) ? Buffer.from(text.replaceAll("-", ""), "hex") : Buffer.from(text);
	return createHmac("sha256", key).update(bytes).digest().subarray(0, 16).toString("base64url");
}

/** The most bytes of a payload of APNs and FCM; Apple allows 5,120 for VoIP. */
const payloadBytes = 4_096;
/** A push service accepts 4,096 bytes (RFC 8030, 7.2), of which encryption needs 103 (RFC 8188 and 8291). */
const plainBytes = 3_993;

/** Whether the payload is within the provider's limit; logs it if it is not. */
function fits(payload, limit, recorder) {
	const isFitting = Buffer.byteLength(JSON.stringify(payload)) <= limit;
	if (!isFitting) recorder.note("size", "a payload has no room for landfall, so its arrivals are not counted");
	return isFitting;
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

const isUUID = (text) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

function parsed(text) {
	try {
		const value = JSON.parse(text);
		return isObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

/**
 * The member `landfall` of a payload, and what the response names: the id that the sender chose, or a new one.
 *
 * @param {unknown} own the payload's member, an object or its JSON
 * @param {"id" | "message"} kind `message` if the same payload goes to many devices
 * @returns {[Record<string, string>, {notification_id?: string, message_id?: string}]}
 */
function addressed(own, kind, recorder) {
	const given = (isObject(own) ? own : parsed(own)) ?? {};
	const name = given.id ? "id" : given.message ? "message" : kind;
	const id = String(given[name] ?? newId());
	const member = {...given, [name]: id};
	if (recorder.receiptKey) member.receipt ??= receipt(recorder.receiptKey, id);
	return [member, {[name === "id" ? "notification_id" : "message_id"]: id}];
}

/** The object with other methods instead of its own. */
function replaced(object, methods) {
	return new Proxy(object, {
		get(target, name) {
			if (Object.hasOwn(methods, name)) return methods[name];
			const value = target[name];
			return typeof value === "function" ? value.bind(target) : value;
		}
	});
}

/** Returns what `body` returns; if it throws, which would be a bug, notes that and returns `otherwise`. */
function guarded(recorder, otherwise, body) {
	try {
		return body();
	} catch (error) {
		recorder.note("glue", `a push cannot be recorded: ${error.message}`);
		return otherwise;
	}
}

/**
 * The module web-push, recording every `sendNotification`. The payload must be a JSON object to carry the id.
 *
 * @template T
 * @param {T} webpush
 * @param {LandfallRecorder} recorder
 * @returns {T}
 */
export function recordedWebPush(webpush, recorder) {
	return replaced(webpush, {
		async sendNotification(subscription, payload, options) {
			const plan = () => webPushPlan(subscription, payload, options, recorder);
			const [body, fields] = guarded(recorder, [payload, undefined], plan);
			const record = (result) => fields && guarded(recorder, 0, () => recorder.record({...fields, ...result}));
			try {
				const result = await webpush.sendNotification(subscription, body, options);
				record({status: result.statusCode, error: shortened(result.body) || undefined});
				return result;
			} catch (error) {
				const {statusCode, body: text} = error ?? {};
				// Without a status or a system's code, the library did not send it.
				if (statusCode) record({status: statusCode, error: shortened(text) || undefined});
				else if (error?.code || /timeout/i.test(error?.message)) record({status: 0, reason: error.code ?? "timeout"});
				throw error;
			}
		}
	});
}

function webPushPlan(subscription, payload, options, recorder) {
	const object = payload === undefined || payload === null ? undefined : parsed(payload.toString());
	const [landfall, ids] = addressed(object?.landfall, "id", recorder);
	if (!object) recorder.note("payload", "a payload is not a JSON object, so its arrivals are not counted");
	const marked = {...object, landfall};
	const now = Date.now(), {TTL, urgency, topic} = options ?? {};
	const fields = {
		provider: "webpush", ...ids, token: subscription?.endpoint, sent_at: now, collapse_id: topic,
		priority: /^(very-low|low|normal|high)$/.test(urgency) ? urgency : undefined,
		expires_at: TTL > 0 ? now + TTL * 1_000 : undefined
	};
	return [object && fits(marked, plainBytes, recorder) ? JSON.stringify(marked) : payload, fields];
}

const shortened = (text) => typeof text === "string" ? text.slice(0, 8_192) : undefined;

/**
 * A provider of @parse/node-apn, recording every `send`. A push to one device has an id of its own, which is
 * also its `apns-id`; a notification to several devices has one message id.
 *
 * @template T
 * @param {T} provider
 * @param {LandfallRecorder} recorder
 * @returns {T}
 */
export function recordedApn(provider, recorder) {
	const isSandbox = /sandbox|development/.test(provider.client?.config?.address ?? "");
	return replaced(provider, {
		async send(notification, recipients) {
			const plan = () => apnPlan(notification, recipients, recorder);
			const [own, fields] = guarded(recorder, [notification, undefined], plan);
			const common = {provider: "apns", sent_at: Date.now(), environment: isSandbox ? "sandbox" : undefined, ...fields};
			const record = ({sent, failed}) => fields && guarded(recorder, 0, () => {
				for (const {device} of sent) recorder.record({...common, token: device, status: 200});
				for (const failure of failed) recorder.record({...common, token: failure.device, ...apnFailure(failure)});
			});
			try {
				const result = await provider.send(own, recipients);
				record(result);
				return result;
			} catch (error) {
				record({sent: [], failed: [recipients].flat().map((device) => ({device, error}))});
				throw error;
			}
		}
	});
}

/** The library reports a 500 as an error whose text names it, and a missing response as any other error. */
function apnFailure({status, response, error}) {
	if (status) return {status, error: response};
	const named = /\bError (\d{3})\b/.exec(error?.message)?.[1];
	return named ? {status: Number(named)} : {status: 0, reason: "NoResponse"};
}

function apnPlan(notification, recipients, recorder) {
	const isOne = !Array.isArray(recipients) || recipients.length === 1;
	const {payload = {}, rawPayload, id} = notification;
	const given = (rawPayload ?? payload).landfall ?? (isOne && id ? {id} : undefined);
	const [landfall, ids] = addressed(given, isOne ? "id" : "message", recorder);
	// The sender's notification is left as it is, because it may be sent again.
	const own = Object.create(notification);
	own.compiled = false;
	const aps = rawPayload?.aps ?? notification.aps ?? {};
	const limit = notification.topic?.endsWith(".voip") ? 5_120 : payloadBytes;
	if (fits({...(rawPayload ?? {...payload, aps}), landfall}, limit, recorder)) {
		if (rawPayload) own.rawPayload = {...rawPayload, landfall};
		else own.payload = {...payload, landfall};
	}
	if (isOne && !id && isUUID(ids.notification_id)) own.id = ids.notification_id;
	return [own, {
		...ids, topic: notification.topic, push_type: notification.pushType, priority: notification.priority,
		collapse_id: notification.collapseId,
		expires_at: notification.expiry > 0 ? notification.expiry * 1_000 : undefined,
		mutable_content: aps["mutable-content"] === 1 || undefined,
		content_available: aps["content-available"] === 1 || undefined
	}];
}

/**
 * A `Messaging` of firebase-admin, recording `send`, `sendEach` and `sendEachForMulticast`. Every message has
 * an id of its own, a multicast message one message id. Topics and conditions are sent without being recorded:
 * FCM does not say whom it reached.
 *
 * @template T
 * @param {T} messaging
 * @param {LandfallRecorder} recorder
 * @returns {T}
 */
export function recordedMessaging(messaging, recorder) {
	const plan = (messages, kind, isDry) => guarded(recorder, undefined, () =>
		isDry ? undefined : messages.map((message) => fcmPlan(message, kind, recorder)));
	const record = (plans, responses) => guarded(recorder, undefined, () => {
		plans?.flatMap(({fields}) => fields).forEach((fields, i) => {
			if (fields && responses[i]) recorder.record({...fields, ...fcmResult(responses[i])});
		});
	});
	const recordBroken = async (plans, error) => {
		// If the connection broke, the error has the responses so far.
		const result = await Promise.resolve(error?.pendingBatchResponse).catch(() => undefined);
		const count = plans?.reduce((sum, {fields}) => sum + fields.length, 0) ?? 0;
		record(plans, Array.from({length: count}, (_, i) => result?.responses?.[i] ?? {success: false, error}));
	};
	const batch = async (plans, sending) => {
		try {
			const result = await sending;
			record(plans, result.responses);
			return result;
		} catch (error) {
			recordBroken(plans, error);
			throw error;
		}
	};
	return replaced(messaging, {
		async send(message, dryRun) {
			const plans = plan([message], "id", dryRun), sending = messaging.send(plans?.[0].message ?? message, dryRun);
			try {
				const messageId = await sending;
				record(plans, [{success: true, messageId}]);
				return messageId;
			} catch (error) {
				record(plans, [{success: false, error}]);
				throw error;
			}
		},
		async sendEach(messages, dryRun) {
			const plans = plan(messages, "id", dryRun);
			return batch(plans, messaging.sendEach(plans?.map(({message}) => message) ?? messages, dryRun));
		},
		async sendEachForMulticast(message, dryRun) {
			const plans = plan([message], "message", dryRun);
			return batch(plans, messaging.sendEachForMulticast(plans?.[0].message ?? message, dryRun));
		}
	});
}

/** The message with its id, and the fields of each of its responses, `undefined` for a topic. */
function fcmPlan(message, kind, recorder) {
	const tokens = [message.tokens ?? message.token ?? []].flat(), fids = [message.fids ?? message.fid ?? []].flat();
	if (!tokens.length && !fids.length) return {message, fields: [undefined]};
	const {android, apns, webpush} = message, aps = apns?.payload?.aps ?? {};
	const given = [message, android, webpush].map((part) => part?.data?.landfall).find(Boolean);
	const [landfall, ids] = addressed(given, kind, recorder);
	const common = {
		provider: "fcm", ...ids, sent_at: Date.now(), topic: apns?.headers?.["apns-topic"],
		priority: android?.priority, collapse_id: android?.collapseKey,
		mutable_content: aps.mutableContent || undefined, content_available: aps.contentAvailable || undefined
	};
	const marked = (part) => ({...part, data: {...part.data, landfall: JSON.stringify(landfall)}});
	const own = marked(message);
	// A platform's data replaces the message's on its devices (AndroidConfig, WebpushConfig).
	if (android?.data) own.android = marked(android);
	if (webpush?.data) own.webpush = marked(webpush);
	const {data, notification} = own;
	const payloads = [{...own.android, data: own.android?.data ?? data}, {data, apns}];
	if (webpush) payloads.push({data, ...own.webpush});
	const isFitting = payloads.every((payload) => fits([notification, payload], payloadBytes, recorder));
	// The order in which the library sends.
	const fields = [
		...tokens.map((token) => ({...common, token})),
		...fids.map((token) => ({...common, token, token_kind: "fid"}))
	];
	return {message: isFitting ? own : message, fields};
}

/** The library does not pass FCM's status on, but a code in words; its errors `app/…` are its own. */
function fcmResult({success, messageId, error}) {
	if (success) return {status: 200, provider_id: messageId};
	const {code, message, httpResponse} = error ?? {};
	const named = httpResponse?.status ?? /Status code: (\d{3})\.$/.exec(message)?.[1];
	if (!/^messaging\//.test(code)) return {status: Number(named ?? 0), reason: code};
	return {status: Number(named ?? 400), error: {code, message: shortened(message)}};
}
