// A server for tests: keeps the items that it was posted, and responds as it is told.
import { createServer } from "node:http";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { gunzipSync } from "node:zlib";

/** What Landfall returns for items that are all new. */
export const accepted = (items) => ({
	status: 200, body: {accepted: items.length, duplicates: 0, rejected: 0, errors: []}
});

/** @param {(items: object[], count: number) => {status: number, body?: object, headers?: object, isSilent?: boolean}} respond */
export async function startServer(respond = accepted) {
	const requests = [], items = [];
	const server = createServer(async (request, response) => {
		const chunks = [];
		for await (const chunk of request) chunks.push(chunk);
		const posted = gunzipSync(Buffer.concat(chunks)).toString().trim().split("\n").map((line) => JSON.parse(line));
		requests.push({at: Date.now(), url: request.url, headers: request.headers, items: posted});
		const {status, body, headers, isSilent} = respond(posted, requests.length);
		if (isSilent) return;
		if (status === 200) items.push(...posted);
		response.writeHead(status, {"Content-Type": "application/json", ...headers}).end(JSON.stringify(body ?? {}));
	});
	await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
	const url = `http://127.0.0.1:${server.address().port}`;
	const stop = () => new Promise((resolve) => { server.close(resolve); server.closeAllConnections(); });
	return {url, requests, items, stop};
}

export const temporaryFolder = () => fs.mkdtempSync(path.join(os.tmpdir(), "landfall-node-"));

/** The most seconds that a test waits: a machine that is very busy needs a part of them. */
export const patience = 300;

/** Waits until the condition holds. */
export async function until(condition) {
	const deadline = Date.now() + patience * 1_000;
	while (!await condition()) {
		if (Date.now() > deadline) throw new Error(`not within ${patience} s: ${condition}`);
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
}
