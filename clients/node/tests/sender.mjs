// A sender for tests: records responses as fast as it can, and prints each id when it is recorded.
import fs from "node:fs";
import { LandfallRecorder, newId } from "../landfall.mjs";

const [url, spool, count, wait, more = "{}"] = process.argv.slice(2);
const bounds = {pause: 20, appendTime: 50, adoptTime: 4_000, exitTime: 300_000, ...JSON.parse(more)};
const recorder = new LandfallRecorder({url, key: "lf_server_x", spool, bounds});
for (let i = 0; i < Number(count); i += 1) {
	const notification_id = newId();
	if (recorder.record({notification_id, provider: "apns", status: 200, token: "a0b1"})) {
		fs.writeSync(1, notification_id + "\n");
	}
	if (i % 20 === 0) await new Promise((resolve) => setTimeout(resolve, Number(wait)));
}
