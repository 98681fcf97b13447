"""Uses the client that openapi-python-client generates from /openapi.yaml as its readers would: posts an event of each type, reads
every report, and says what it read.

usage: generated-client.py FOLDER URL SERVER_KEY REPORT_KEY
"""
import datetime, json, sys, uuid

folder, url, server_key, report_key = sys.argv[1:]
sys.path.insert(0, folder)

from landfall_client import AuthenticatedClient
from landfall_client.api.devices import register_device
from landfall_client.api.events import post_events
from landfall_client.api.feeds import follow_tokens, page_tokens
from landfall_client.api.operation import is_alive
from landfall_client.api.reports import (
    read_clicks, read_extension, read_funnel, read_latency, read_loss, read_reach, read_rejections, read_today,
    read_token_status, read_tokens)
from landfall_client.models import (
    Alive, ArrivalEvent, ClickEvent, Clicks, Dimension, DismissalEvent, Environment, EventsVerdict, Extension, Funnel, FunnelRow, Latency,
    Loss, PostedToken, PresentationEvent, Problem, ProblemCode, ProviderError, Rate, Reach, RecallEvent, Registration, RegistrationChange,
    RegistrationReceipt, Rejections, RejectionCode, RejectionClass, ResponseEvent, Today, TokenChanges, TokenKind, TokenPage, TokenState,
    TokenStateFilter, TokenStatus, TokenWaterfall, WarningCode, WaterfallPeriod)

now = datetime.datetime.now(datetime.timezone.utc)
server = AuthenticatedClient(base_url=url, token=server_key)
reader = AuthenticatedClient(base_url=url, token=report_key)


def expect(value, kind):
    assert isinstance(value, kind), f"{kind.__name__} expected: {value}"
    return value


expect(is_alive.sync(client=server), Alive)

# A device with a token.
device_id = uuid.uuid4()
registration = Registration(
    platform="ios", app_version="7.1.0",
    tokens=[PostedToken(value="80f4d1a6c3", kind=TokenKind.ALERT, environment=Environment.PRODUCTION, topic="com.example.shop")])
receipt = expect(register_device.sync(device_id, client=server, body=registration), RegistrationReceipt)
assert receipt.device_id == device_id and receipt.tokens[0].change is RegistrationChange.REGISTERED

# An event of each type, one by one, about one notification.
id = str(uuid.uuid4())
response = dict(provider="apns", token="80f4d1a6c3", topic="com.example.shop", mutable_content=True, campaign="spring")
device = dict(sent_at=now, device_id=device_id, occurred_at=now, reported_at=now)
events = [
    ResponseEvent(type_="response", notification_id=id, sent_at=now, status=200, **response),
    ArrivalEvent(type_="arrival", notification_id=id, **device),
    PresentationEvent(type_="presentation", notification_id=id, **device),
    ClickEvent(type_="click", notification_id=id, action="buy", **device),
    DismissalEvent(type_="dismissal", notification_id=id, **device),
    RecallEvent(type_="recall", notification_id=id, sent_at=now),
]
for event in events:
    verdict = expect(post_events.sync(client=server, body=event), EventsVerdict)
    assert (verdict.accepted, verdict.errors) == (1, []), verdict

# Several at once: a duplicate, a rejection by the provider, and an item that is no event.
rejected = ResponseEvent(
    type_="response", notification_id=str(uuid.uuid4()), sent_at=now, status=403, reason="ExpiredProviderToken", **response)
nothing = ResponseEvent(type_="response", notification_id=str(uuid.uuid4()), sent_at=now, provider="apns", status=200)
verdict = expect(post_events.sync(client=server, body=[events[0], rejected, nothing]), EventsVerdict)
assert (verdict.accepted, verdict.duplicates, verdict.rejected) == (1, 1, 1), verdict
assert verdict.errors[0].index == 2 and verdict.errors[0].code is RejectionCode.MISSING_TOKEN, verdict
problem = expect(post_events.sync(client=server, body=nothing), Problem)
assert problem.code is ProblemCode.MISSING_TOKEN and problem.status == 422, problem

# A provider's error as it came, its status as text, for a token that no app has registered.
unregistered = ResponseEvent(
    type_="response", notification_id=str(uuid.uuid4()), sent_at=now, provider="fcm", status="404", token="fK3:x", final=True,
    error=ProviderError.from_dict({"status": "NOT_FOUND", "details": [{"errorCode": "UNREGISTERED"}]}))
verdict = expect(post_events.sync(client=server, body=unregistered), EventsVerdict)
assert verdict.accepted == 1 and [w.code for w in verdict.warnings] == [WarningCode.UNREGISTERED_TOKEN], verdict

# The feeds.
page = expect(page_tokens.sync(client=server, state=TokenStateFilter.ANY), TokenPage)
assert page.tokens[0].value == "80f4d1a6c3" and page.tokens[0].state is TokenState.ACTIVE, page
changes = expect(follow_tokens.sync(client=server), TokenChanges)
assert changes.changes[0].from_ is None and changes.changes[0].to is TokenState.ACTIVE, changes

# Every report, broken down and compared.
by = dict(client=reader, from_="7d", by=[Dimension.CAMPAIGN], campaign=["spring"], compare="previous")
for read, kind in [
    (read_clicks, Clicks), (read_loss, Loss), (read_reach, Reach), (read_rejections, Rejections), (read_latency, Latency)]:
    report = expect(read.sync(**by), kind)
    assert report.rows[0].key.campaign == "spring", report
rejections = expect(read_rejections.sync(**by), Rejections)
assert rejections.rows[0].answer.class_ is RejectionClass.AUTH_ERROR, rejections
waterfall = expect(read_tokens.sync(client=reader, from_="7d", by=WaterfallPeriod.DAY), TokenWaterfall)
assert waterfall.totals.end.active == 1 and waterfall.rows[-1].active.registered == 1, waterfall
extension = expect(read_extension.sync(client=reader, from_="7d", sort="arrival", limit=5), Extension)
assert extension.totals.counts.arrived_reportable == 1 and extension.rows[0].key.app_version == "7.1.0", extension
status = expect(read_token_status.sync(client=reader), TokenStatus)
assert status.totals.counts.audience == 1 and status.rows[0].key.state == "active", status
today = expect(read_today.sync(client=reader), Today)
assert today.apps[0].tokens.audience == 1 and len(today.apps[0].quarters) == 96 and today.next_ == [], today
assert expect(read_funnel.sync(client=reader, tz="Nowhere/Atall"), Problem).code is ProblemCode.INVALID_PARAMETER

funnel = expect(read_funnel.sync(**by), Funnel)
row = expect(funnel.rows[0], FunnelRow)
acceptance = expect(row.rates.acceptance, Rate)
print(json.dumps({
    "campaign": row.key.campaign, "attempted": row.counts.attempted, "accepted": row.counts.accepted,
    "auth_error": row.counts.rejected.auth_error, "arrived": row.counts.arrived, "clicked": row.counts.clicked,
    "dismissed": row.counts.dismissed, "acceptance": acceptance.value, "as_of": funnel.as_of > now}))
