// Reports web push to Landfall: docs/kit-web.md
function landfall({url, key, appVersion}) {
	const done = (request) => new Promise((resolve, reject) => {
		request.onsuccess = () => resolve(request.result);
		request.onerror = reject;
	});
	const open = async () => {
		const db = indexedDB.open("landfall", 1);
		db.onupgradeneeded = () => db.result.createObjectStore("events", {keyPath: "n", autoIncrement: true})
			.createIndex("name", "name", {unique: true});
		const store = (await done(db)).transaction("events", "readwrite").objectStore("events");
		db.result.close();
		return store;
	};
	const state = async (changes) => {
		const store = await open(), old = await done(store.get("state"));
		const state = {n: "state", device: crypto.randomUUID(), ...old, ...changes};
		await done(store.put(state));
		return state;
	};

	const upload = async () => {
		for (let most = 100;;) {
			const events = await done((await open()).getAll(IDBKeyRange.upperBound(Infinity), most));
			const {device, until} = await state(), count = events.length, now = Date.now();
			if (!count) return true;
			if (until > now && until < now + 1e8) return;
			const response = await fetch(url + "/v1/events", {
				method: "POST",
				headers: {Authorization: "Bearer " + key, "Content-Type": "application/json"},
				body: JSON.stringify(events.map(({event}) => ({...event, device_id: device, reported_at: now}))),
				signal: AbortSignal.timeout(1e4)
			});
			const {status, headers} = response, body = await response.json().catch(() => 0);
			if (status == 413 && count > 1) most = count >> 1;
			// Any other 200 is not Landfall's.
			else if (status == 413 || body.accepted + body.duplicates + body.rejected == count)
				await done((await open()).delete(IDBKeyRange.upperBound(events[count - 1].n)));
			else throw await state({until: now + 1000 * headers.get("Retry-After")});
		}
	};
	const flush = () => navigator.locks.request("landfall", upload).catch(() => {});

	const record = async (type, {data, notification, action}) => {
		const text = data ? data.text() : JSON.stringify(notification.data);
		let found;
		JSON.parse(text, (name, value) => name == "landfall" ? found = value : value);
		const {id, message, receipt} = found.trim ? JSON.parse(found) : found;
		const store = await open(), n = await done(store.add({
			name: type + id + message + action,
			event: {
				type, notification_id: id, message_id: message, receipt, action,
				occurred_at: Date.now(), app_version: appVersion
			}
		}));
		store.delete(IDBKeyRange.upperBound(n - 1000));
	};
	const types = {push: "arrival", notificationclick: "click", notificationclose: "dismissal", activate: 0, sync: 0};
	for (const name in types) addEventListener(name, (event) => event.waitUntil((async () => {
		await record(types[name], event).catch(() => {});
		if (await flush()) return;
		if (event.tag == "landfall") throw "later";
		await registration.sync?.register("landfall").catch(() => {});
	})()));
	return {state, flush};
}
