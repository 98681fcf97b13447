// Sends with the wrappers for Node and with doubles of their libraries, which return and throw what the real ones do:
// node node_sender.mjs URL KEY SPOOL
import { LandfallRecorder, labels, recordedApn, recordedMessaging, recordedWebPush } from "../../clients/node/landfall.mjs";

const [url, key, spool] = process.argv.slice(2);
const recorder = new LandfallRecorder({url, key, spool});
const token = (n) => `${n}`.padStart(64, "b");
const fcmToken = (n) => `cNode${n}:APA91b${"x".repeat(134)}`;
const endpoint = (name) => `https://updates.push.services.mozilla.com/wpush/v2/${name}`;
const named = (name, message, fields) => Object.assign(new Error(message), {name, ...fields});

const webpush = recordedWebPush({
	async sendNotification({endpoint}) {
		if (endpoint.endsWith("ok")) return {statusCode: 201, body: "", headers: {}};
		if (endpoint.endsWith("away")) throw named("Error", "connect ECONNREFUSED", {code: "ECONNREFUSED"});
		const body = '{"code":410,"errno":106,"error":"Gone","message":"Request did not validate"}';
		throw named("WebPushError", "Received unexpected response code", {statusCode: 410, headers: {}, body, endpoint});
	}
}, recorder);

const provider = recordedApn({
	client: {config: {address: "api.push.apple.com"}},
	send: async (notification, devices) => ({
		sent: [{device: devices[0]}],
		failed: [
			{device: devices[1], status: 410, response: {reason: "Unregistered", timestamp: Date.now()}},
			{device: devices[2], status: 400, response: {reason: "BadDeviceToken"}},
			{device: devices[3], error: named("VError", "Error 500, stream ended unexpectedly")}
		]
	})
}, recorder);

const messaging = recordedMessaging({
	sendEach: async () => ({
		responses: [
			{success: true, messageId: "projects/shop/messages/0:1"},
			...[
				["messaging/registration-token-not-registered", "Requested entity was not found."],
				["messaging/invalid-argument", "The registration token is not a valid FCM registration token"],
				["messaging/message-rate-exceeded", "Sending limit exceeded for the message target."],
				["messaging/mismatched-credential", "SenderId mismatch"]
			].map(([code, message]) => ({success: false, error: named("FirebaseMessagingError", message, {code})}))
		],
		successCount: 1, failureCount: 4
	})
}, recorder);

await labels({campaign: "node"}, async () => {
	for (const name of ["ok", "gone", "away"]) {
		await webpush.sendNotification({endpoint: endpoint(name)}, '{"title":"Hello"}').catch(() => {});
	}
	await provider.send({payload: {}, aps: {alert: "Hello"}, topic: "com.example.node"}, [1, 2, 3, 4].map(token));
	await messaging.sendEach([1, 2, 3, 4, 5].map((n) => ({token: fcmToken(n)})));
});
if (!await recorder.close()) process.exit(1);
