"""Ids, and what a backend signs, by the vectors that all languages share."""

from __future__ import annotations

import json
import uuid
from pathlib import Path

import pytest

from landfall import account_proof, new_id, receipt
from landfall.ids import milliseconds_of
from landfall.payload import fields_of, marked, marked_text

VECTORS = json.loads((Path(__file__).parents[3] / "Tests/TrustTests/vectors.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("vector", VECTORS["receipts"])
def test_receipts_are_those_of_the_vectors(vector: "dict[str, str]") -> None:
    assert receipt(VECTORS["receipt_key"], vector["id"]) == vector["receipt"]


@pytest.mark.parametrize("vector", VECTORS["account_proofs"])
def test_account_proofs_are_those_of_the_vectors(vector: "dict[str, object]") -> None:
    account, device, expires, tags = (vector[name] for name in ("account", "device_id", "expires", "tags"))
    assert isinstance(account, str) and isinstance(device, str)
    assert isinstance(expires, int) and isinstance(tags, list)
    assert account_proof(VECTORS["account_key"], account, device, expires, tags) == vector["account_proof"]


def test_what_cannot_be_signed_is_an_error() -> None:
    with pytest.raises(ValueError, match="line feed"):
        account_proof("lf_account_key", "a\nb", str(uuid.uuid4()), 1_800_000_000)


@pytest.mark.parametrize("spelling", [" order-4711 ", "order-4711\n", "\ufefforder-4711", "\u200border-4711\u200f"])
def test_the_receipt_of_a_text_signs_the_form_in_which_the_server_compares_it(spelling: str) -> None:
    assert receipt("lf_receipt_key", spelling) == receipt("lf_receipt_key", "order-4711")
    assert receipt("lf_receipt_key", "Cafe\u0301") == receipt("lf_receipt_key", "Caf\u00e9")
    assert receipt("lf_receipt_key", "Order-4711") != receipt("lf_receipt_key", "order-4711")


def test_new_ids_are_unique_uuids_of_version_7_with_the_time() -> None:
    ids = {new_id(1_795_424_400.123) for _ in range(1000)}
    assert len(ids) == 1000
    for text in ids:
        value = uuid.UUID(text)
        assert value.version == 7 and value.variant == uuid.RFC_4122 and str(value) == text
        assert milliseconds_of(text) == 1_795_424_400_123
    assert milliseconds_of(str(uuid.uuid4())) is None
    assert milliseconds_of("order-42") is None


def test_a_payload_gets_an_id_and_is_not_changed() -> None:
    payload = {"aps": {"alert": "Hello"}}
    copy, fields = marked(payload, None)
    assert payload == {"aps": {"alert": "Hello"}}
    assert copy == {"aps": {"alert": "Hello"}, "landfall": {"id": fields["notification_id"]}}
    assert fields_of(copy) == fields


@pytest.mark.parametrize("vector", VECTORS["receipts"])
def test_an_id_of_the_sender_is_kept_and_signed(vector: "dict[str, str]") -> None:
    copy, fields = marked({"landfall": {"id": vector["id"], "note": 1}}, VECTORS["receipt_key"])
    assert copy["landfall"] == {"id": vector["id"], "note": 1, "receipt": vector["receipt"]}
    assert fields == {"notification_id": vector["id"]}
    copy, fields = marked({"landfall": {"message": vector["id"]}}, VECTORS["receipt_key"])
    assert copy["landfall"] == {"message": vector["id"], "receipt": vector["receipt"]}
    assert fields == {"message_id": vector["id"]}


def test_in_data_of_texts_the_object_is_a_text() -> None:
    copy, fields = marked_text({"order": "42"}, None, for_many=True)
    assert json.loads(copy["landfall"]) == {"message": fields["message_id"]}
    again, same = marked_text(copy, None)
    assert (again, same) == (copy, fields)
    assert fields_of(copy) == fields


@pytest.mark.parametrize("empty", [None, ""])
def test_an_empty_id_is_none(empty: object) -> None:
    copy, fields = marked({"landfall": {"id": empty, "receipt": empty, "note": 1}}, "lf_receipt_key")
    identifier = fields["notification_id"]
    assert uuid.UUID(identifier).version == 7
    assert copy["landfall"] == {"id": identifier, "receipt": receipt("lf_receipt_key", str(identifier)), "note": 1}
    copy, fields = marked({"landfall": {"id": empty, "message": "spring"}}, None)
    assert copy["landfall"] == {"message": "spring"} and fields == {"message_id": "spring"}
    assert fields_of({"landfall": {"id": empty, "message": "spring"}}) == fields
    assert fields_of({"landfall": {"id": empty, "message": empty}}) == {}


def test_an_id_counts_before_a_message() -> None:
    copy, fields = marked({"landfall": {"message": "spring", "id": 42}}, "lf_receipt_key", for_many=True)
    assert fields == {"notification_id": "42"} == fields_of(copy)
    assert copy["landfall"]["receipt"] == receipt("lf_receipt_key", "42")
