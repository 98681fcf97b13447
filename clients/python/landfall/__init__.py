"""Records what push providers return, on disk first, and uploads it to a Landfall server."""

from . import aioapns, exponent_server_sdk, firebase_admin, pyfcm, pywebpush
from .fields import ResponseFields, labels
from .ids import new_id
from .recorder import LandfallRecorder
from .signing import account_proof, receipt

__all__ = [
    "LandfallRecorder", "ResponseFields", "account_proof", "aioapns", "exponent_server_sdk", "firebase_admin", "labels",
    "new_id", "pyfcm", "pywebpush", "receipt",
]  # fmt: skip
