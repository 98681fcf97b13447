// Reports web push to Landfall: docs/kit.md
self.landfall = ({url, key, version}) => {
	const done = (request) => new Promise((resolve, reject) => {
		request.onsuccess = () => resolve(request.result);
		request.onerror = reject;
	});
	// Events are numbered in n.
	const open = async () => {
		const db = indexedDB.open("landfall", 1);
		db.onupgradeneeded = () => db.result.createObjectStore("events", {keyPath: "n", autoIncrement: true});
		const store = (await done(db)).transaction("events", "readwrite").objectStore("events");
		db.result.close();
		return store;
	};
	const remove = async (last) => done((await open()).delete(IDBKeyRange.upperBound(last)));
	const state = async (changes) => {
		const store = await open(), old = await done(store.get("state"));
		const state = {n: "state", device: crypto.randomUUID(), ...old, ...changes};
		store.put(state);
		return state;
	};

	const record = async (type, {data, notification, action}) => {
		const occurred_at = Date.now(), text = data?.text() ?? JSON.stringify(notification.data);
		let found;
		JSON.parse(text, (name, value) => name == "landfall" ? found = value : value);
		const {id, message, receipt} = found.trim ? JSON.parse(found) : found;
		const n = await done((await open()).add({
			type, notification_id: id, message_id: id ? null : message, receipt, action, occurred_at, app_version: version
		}));
		await remove(n - 1000);
	};

	// Resolves to whether nothing waits.
	const upload = async (most) => {
		const events = await done((await open()).getAll(IDBKeyRange.upperBound(Infinity), most));
		const {device, until} = await state(), count = events.length, now = Date.now();
		if (!count) return true;
		if (until > now && until < now + 1e8) return false;
		const response = await fetch(url + "/v1/events", {
			method: "POST",
			headers: {Authorization: "Bearer " + key, "Content-Type": "application/json"},
			body: JSON.stringify(events.map((event) => ({...event, device_id: device, reported_at: now}))),
			signal: AbortSignal.timeout(1e4)
		});
		const body = await response.json(), invalid = body.code && /400|413|415|422/.test(response.status);
		if (invalid && count > 1) return upload(count >> 1);
		// Any other 200 is not Landfall's.
		if (invalid || body.accepted + body.duplicates + body.rejected == count) {
			await remove(events[count - 1].n);
			return upload(100);
		}
		await state({until: now + 1e3 * response.headers.get("Retry-After")});
		return false;
	};
	const flush = () => navigator.locks.request("landfall", () => upload(100)).catch(() => false);

	for (const [name, type] of Object.entries({
		push: "arrival", notificationclick: "click", notificationclose: "dismissal", sync: 0
	})) addEventListener(name, (event) => event.waitUntil((async () => {
		if (type) await record(type, event).catch(() => {});
		if (await flush()) return;
		if (event.tag == "landfall") throw "later";
		await registration.sync?.register("landfall").catch(() => {});
	})()));
	return {state, flush};
};
