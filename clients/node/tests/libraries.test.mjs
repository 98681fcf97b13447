// Doubles of the libraries return what these return and throw; the shapes are from web-push 3.6
// (src/web-push-lib.js), @parse/node-apn 6 (lib/client.js, lib/provider.js, lib/notification) and firebase-admin 13
// (src/messaging/messaging.ts, messaging-errors-internal.ts).
import assert from "node:assert/strict";
import { test } from "node:test";
import { recordedApn, recordedMessaging, recordedWebPush } from "../landfall.mjs";

const uuid7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const endpoint = "https://updates.push.services.mozilla.com/wpush/v2/gAAAA";

/** What a recorder records, without a spool. */
function fakeRecorder() {
	const items = [], notes = [];
	const record = (item) => items.push(JSON.parse(JSON.stringify(item)));
	return {items, notes, record, note: (kind) => notes.push(kind)};
}

class WebPushError extends Error {
	constructor(message, statusCode, headers, body, endpoint) {
		super(message);
		Object.assign(this, {name: "WebPushError", statusCode, headers, body, endpoint});
	}
}

/** web-push: `respond` gets the payload, and returns a result or throws. */
const webPush = (respond) => ({
	WebPushError,
	sendNotification: async (subscription, payload, options) => respond(payload, subscription, options)
});

test("web-push: the id is in the payload that is sent and in the response", async () => {
	const recorder = fakeRecorder(), sent = [];
	const push = recordedWebPush(webPush((payload) => {
		sent.push(JSON.parse(payload));
		return {statusCode: 201, body: "", headers: {location: "https://updates.push.services.mozilla.com/m/1"}};
	}), recorder);
	const options = {TTL: 60, urgency: "high", topic: "news"};
	const result = await push.sendNotification({endpoint}, JSON.stringify({title: "Hello"}), options);
	assert.equal(result.statusCode, 201);
	assert.equal(sent[0].title, "Hello");
	assert.match(sent[0].landfall.id, uuid7);
	const {sent_at, expires_at, ...rest} = recorder.items[0];
	assert.equal(expires_at - sent_at, 60_000);
	assert.deepEqual(rest, {
		provider: "webpush", notification_id: sent[0].landfall.id, token: endpoint, status: 201, priority: "high",
		collapse_id: "news"
	});
	assert.equal(push.WebPushError.name.includes("WebPushError"), true);
});

test("web-push: every urgency of RFC 8030 is the priority, and any other word is not", async () => {
	const recorder = fakeRecorder();
	const push = recordedWebPush(webPush(() => ({statusCode: 201, body: "", headers: {}})), recorder);
	for (const urgency of ["very-low", "low", "normal", "high", "urgent", undefined]) {
		await push.sendNotification({endpoint}, "{}", {urgency});
	}
	assert.deepEqual(recorder.items.map((item) => item.priority), [
		"very-low", "low", "normal", "high", undefined, undefined
	]);
});

test("web-push: an error is recorded and thrown unchanged", async () => {
	const recorder = fakeRecorder(), gone = new WebPushError("Received unexpected response code", 410, {}, "gone\n", endpoint);
	const push = recordedWebPush(webPush(() => { throw gone; }), recorder);
	await assert.rejects(push.sendNotification({endpoint}, "{}"), (error) => error === gone);
	assert.equal(recorder.items[0].status, 410);
	assert.equal(recorder.items[0].error, "gone\n");
});

test("web-push: no response is status 0, and what the library did not send is not recorded", async () => {
	const recorder = fakeRecorder();
	const errors = [
		Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:443"), {code: "ECONNREFUSED"}), new Error("Socket timeout"),
		new Error("You must pass in a subscription with at least an endpoint.")
	];
	const push = recordedWebPush(webPush(() => { throw errors.shift(); }), recorder);
	for (let i = 0; i < 3; i += 1) await assert.rejects(push.sendNotification({endpoint}, "{}"));
	assert.deepEqual(recorder.items.map((item) => [item.status, item.reason]), [[0, "ECONNREFUSED"], [0, "timeout"]]);
});

test("web-push: the sender's own id stays, and a payload that is not an object is sent as it is", async () => {
	const recorder = fakeRecorder(), sent = [];
	const push = recordedWebPush(webPush((payload) => {
		sent.push(payload);
		return {statusCode: 201, body: "", headers: {}};
	}), recorder);
	await push.sendNotification({endpoint}, JSON.stringify({landfall: {id: "order-17"}}));
	await push.sendNotification({endpoint}, "just text");
	await push.sendNotification({endpoint});
	assert.deepEqual([JSON.parse(sent[0]), sent[1], sent[2]], [{landfall: {id: "order-17"}}, "just text", undefined]);
	assert.equal(recorder.items[0].notification_id, "order-17");
	assert.match(recorder.items[2].notification_id, uuid7);
	assert.deepEqual(recorder.notes, ["payload", "payload"]);
});

/** node-apn's Notification: what `headers` and `compile` of the library read. */
class Notification {
	constructor(fields) {
		Object.assign(this, {payload: {}, compiled: false, aps: {}, expiry: -1, priority: 10}, fields);
	}

	headers() { return {"apns-id": this.id, "apns-topic": this.topic}; }

	compile() { return this.compiled ||= JSON.stringify({...(this.rawPayload ?? {...this.payload, aps: this.aps})}); }
}

/** node-apn's Provider: `failures` are the responses by device. */
function apnProvider(sent, failures = {}) {
	return {
		client: {config: {address: "api.sandbox.push.apple.com"}},
		async send(notification, recipients) {
			const devices = [recipients].flat();
			sent.push({headers: notification.headers(), body: JSON.parse(notification.compile()), devices});
			return {
				sent: devices.filter((device) => !failures[device]).map((device) => ({device})),
				failed: devices.filter((device) => failures[device]).map((device) => ({device, ...failures[device]}))
			};
		},
		shutdown() { return this.client.config.address; }
	};
}

test("node-apn: one device gets an id, which is also its apns-id, and the notification can be sent again", async () => {
	const recorder = fakeRecorder(), sent = [], provider = recordedApn(apnProvider(sent), recorder);
	const notification = new Notification({
		payload: {order: 17}, aps: {alert: "Hello", "mutable-content": 1}, topic: "com.example.shop", pushType: "alert",
		expiry: 1_795_428_000, collapseId: "order"
	});
	await provider.send(notification, "a0b1");
	await provider.send(notification, ["a0b2"]);
	for (const [i, {headers, body}] of sent.entries()) {
		assert.match(body.landfall.id, uuid7);
		assert.equal(headers["apns-id"], body.landfall.id);
		assert.equal(body.order, 17);
		assert.equal(recorder.items[i].notification_id, body.landfall.id);
	}
	assert.notEqual(sent[0].body.landfall.id, sent[1].body.landfall.id);
	assert.deepEqual([notification.payload, notification.id, notification.compiled], [{order: 17}, undefined, false]);
	const {notification_id, sent_at, ...rest} = recorder.items[0];
	assert.deepEqual(rest, {
		provider: "apns", token: "a0b1", status: 200, environment: "sandbox", topic: "com.example.shop",
		push_type: "alert", priority: 10, collapse_id: "order", expires_at: 1_795_428_000_000, mutable_content: true
	});
	assert.equal(provider.shutdown(), "api.sandbox.push.apple.com");
});

test("node-apn: several devices get one message id, and each failure is recorded as it came", async () => {
	const gone = {status: 410, response: {reason: "Unregistered", timestamp: 1_795_424_400_000}};
	const sent = [], recorder = fakeRecorder();
	const provider = recordedApn(apnProvider(sent, {
		b1: gone, b2: {error: new Error("apn write failed: Socket closed")},
		b3: {error: new Error("Error 500, stream ended unexpectedly")}
	}), recorder);
	const notification = new Notification({rawPayload: {aps: {alert: "Hello"}, x: 1}});
	const result = await provider.send(notification, ["a0", "b1", "b2", "b3"]);
	assert.equal(result.failed.length, 3);
	const {landfall, ...rest} = sent[0].body;
	assert.deepEqual(rest, {aps: {alert: "Hello"}, x: 1});
	assert.match(landfall.message, uuid7);
	assert.ok(recorder.items.every((item) => item.message_id === landfall.message && !item.notification_id));
	assert.deepEqual(recorder.items.map(({token, status, error}) => [token, status, error]), [
		["a0", 200, undefined], ["b1", 410, gone.response], ["b2", 0, undefined], ["b3", 500, undefined]
	]);
});

test("node-apn: if send rejects, no response is recorded for each device, and the error is thrown", async () => {
	const recorder = fakeRecorder(), ended = new Error("the session was destroyed");
	const provider = recordedApn({client: {}, send: async () => { throw ended; }}, recorder);
	await assert.rejects(provider.send(new Notification(), "a0"), (error) => error === ended);
	await assert.rejects(provider.send(new Notification(), ["a1", "a2"]), (error) => error === ended);
	assert.deepEqual(recorder.items.map(({token, status, reason}) => [token, status, reason]), [
		["a0", 0, "NoResponse"], ["a1", 0, "NoResponse"], ["a2", 0, "NoResponse"]
	]);
	assert.match(recorder.items[0].notification_id, uuid7);
	assert.match(recorder.items[1].message_id, uuid7);
});

const dead = Object.assign(
	new Error("Requested entity was not found."), {code: "messaging/registration-token-not-registered"});
const bad = Object.assign(
	new Error('An unknown server error was returned. Raw server response: "<html>". Status code: 502.'),
	{code: "messaging/unknown-error"});
const away = Object.assign(new Error("Error while making request: socket hang up."), {code: "app/network-error"});

/** firebase-admin's Messaging: `failures` are the errors by token. */
class Messaging {
	constructor(failures = {}, sent = []) { Object.assign(this, {failures, sent}); }

	async send(message) {
		this.sent.push(message);
		const error = this.failures[message.token];
		if (error) throw error;
		return "projects/shop/messages/" + message.token;
	}

	async sendEach(messages) {
		const settled = await Promise.allSettled(messages.map((message) => this.send(message)));
		const responses = settled.map(({status, value, reason}) =>
			status === "fulfilled" ? {success: true, messageId: value} : {success: false, error: reason});
		return {responses, successCount: 0, failureCount: 0};
	}

	async sendEachForMulticast({tokens, ...message}) {
		return this.sendEach(tokens.map((token) => ({...message, token})));
	}
}

const fcm = ({token, status, error}) => [token, status, error?.code];

test("firebase-admin: send and sendEach give each message an id in data", async () => {
	const recorder = fakeRecorder(), original = new Messaging({t2: dead, t3: bad, t4: away});
	const messaging = recordedMessaging(original, recorder), message = {token: "t1", data: {order: "17"}};
	assert.equal(await messaging.send({...message, android: {priority: "high"}}), "projects/shop/messages/t1");
	await assert.rejects(messaging.send({token: "t2"}), (error) => error === dead);
	await messaging.sendEach([{token: "t3"}, {token: "t4"}, {token: "t5"}]);
	const ids = original.sent.map((message) => JSON.parse(message.data.landfall).id);
	assert.equal(new Set(ids).size, 5);
	assert.equal(original.sent[0].data.order, "17");
	assert.deepEqual(recorder.items.map((item) => item.notification_id), ids);
	assert.deepEqual(recorder.items.map(fcm), [
		["t1", 200, undefined], ["t2", 400, dead.code], ["t3", 502, bad.code], ["t4", 0, undefined], ["t5", 200, undefined]
	]);
	assert.equal(recorder.items[0].provider_id, "projects/shop/messages/t1");
	assert.equal(recorder.items[0].priority, "high");
});

test("firebase-admin: a multicast message has one message id, and one response for each token", async () => {
	const recorder = fakeRecorder(), original = new Messaging({t2: dead});
	const messaging = recordedMessaging(original, recorder);
	await messaging.sendEachForMulticast({tokens: ["t1", "t2", "t3"], data: {a: "1"}});
	const ids = original.sent.map((message) => JSON.parse(message.data.landfall).message);
	assert.equal(new Set(ids).size, 1);
	assert.ok(recorder.items.every((item) => item.message_id === ids[0]));
	const expected = [["t1", 200, undefined], ["t2", 400, dead.code], ["t3", 200, undefined]];
	assert.deepEqual(recorder.items.map(fcm), expected);
});

test("firebase-admin: when the session breaks, the responses so far are recorded, the others as none", async () => {
	const recorder = fakeRecorder(), broken = new Error("Session error while making requests");
	broken.code = "messaging/app-error";
	const responses = [{success: true, messageId: "m1"}, {success: false, error: away}];
	broken.pendingBatchResponse = Promise.resolve({responses});
	const messaging = recordedMessaging({sendEach: async () => { throw broken; }}, recorder);
	await assert.rejects(messaging.sendEach([{token: "t1"}, {token: "t2"}]), (error) => error === broken);
	await new Promise(setImmediate);
	assert.deepEqual(recorder.items.map(fcm), [["t1", 200, undefined], ["t2", 0, undefined]]);
});

test("firebase-admin: data of a platform replaces the message's, so it is marked too", async () => {
	const recorder = fakeRecorder(), original = new Messaging(), messaging = recordedMessaging(original, recorder);
	const android = {priority: "high", data: {a: "1"}}, webpush = {data: {w: "1"}, headers: {TTL: "60"}};
	await messaging.send({token: "t1", android, webpush});
	await messaging.send({token: "t2", android: {data: {landfall: '{"id":"order-17"}'}}, webpush: {headers: {TTL: "60"}}});
	const [{data, ...first}, second] = original.sent;
	assert.equal(JSON.parse(data.landfall).id, recorder.items[0].notification_id);
	assert.deepEqual(first, {
		token: "t1", android: {priority: "high", data: {a: "1", landfall: data.landfall}},
		webpush: {data: {w: "1", landfall: data.landfall}, headers: {TTL: "60"}}
	});
	assert.deepEqual([android.data, webpush.data], [{a: "1"}, {w: "1"}]);
	assert.equal(recorder.items[1].notification_id, "order-17");
	assert.deepEqual(second, {
		token: "t2", data: {landfall: '{"id":"order-17"}'}, android: {data: {landfall: '{"id":"order-17"}'}},
		webpush: {headers: {TTL: "60"}}
	});
});

test("firebase-admin: topics and dry runs are sent as they are and not recorded", async () => {
	const recorder = fakeRecorder(), messaging = recordedMessaging(new Messaging(), recorder);
	await messaging.send({topic: "news"});
	await messaging.send({token: "t1"}, true);
	assert.deepEqual(recorder.items, []);
	await messaging.sendEach([{topic: "news"}, {token: "t2"}, {condition: "'a' in topics"}, {fid: "f1"}]);
	assert.deepEqual(recorder.items.map((item) => [item.token, item.token_kind]), [["t2", undefined], ["f1", "fid"]]);
	assert.equal(recorder.items[0].provider_id, "projects/shop/messages/t2");
});

test("a payload that would be too large with the id is sent without it, and recorded", async () => {
	const recorder = fakeRecorder(), sent = [], text = "x".repeat(3_960);
	await recordedMessaging(new Messaging({}, sent), recorder).send({token: "t1", data: {text: text + "x".repeat(100)}});
	assert.equal(sent[0].data.landfall, undefined);
	await recordedApn(apnProvider(sent), recorder).send(new Notification({payload: {text: text + "x".repeat(90)}}), "a0");
	assert.equal(sent[1].body.landfall, undefined);
	const push = recordedWebPush(webPush((payload) => {
		sent.push(payload);
		return {statusCode: 201, body: "", headers: {}};
	}), recorder);
	await push.sendNotification({endpoint}, JSON.stringify({text}));
	assert.equal(sent[2], JSON.stringify({text}));
	assert.deepEqual(recorder.items.map((item) => item.status), [200, 200, 201]);
	assert.deepEqual(recorder.notes, ["size", "size", "size"]);
});

test("a recorder with a receipt key signs the id", async () => {
	const recorder = {...fakeRecorder(), receiptKey: "lf_receipt_k"}, original = new Messaging();
	await recordedMessaging(original, recorder).send({token: "t1"});
	assert.equal(JSON.parse(original.sent[0].data.landfall).receipt.length, 22);
});
