"""Records what push providers return, on disk first, and uploads it to a Landfall server."""

from .fields import ResponseFields, labels
from .ids import new_id
from .recorder import LandfallRecorder
from .signing import account_proof, receipt

__all__ = ["LandfallRecorder", "ResponseFields", "account_proof", "labels", "new_id", "receipt"]
