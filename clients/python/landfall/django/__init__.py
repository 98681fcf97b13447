"""django-push-notifications: `"landfall.django"` in `INSTALLED_APPS`, and the setting `LANDFALL`."""

from __future__ import annotations

from typing import Optional

from ..recorder import LandfallRecorder

_recorder: Optional[LandfallRecorder] = None


def recorder() -> LandfallRecorder:
    """The recorder of the setting `LANDFALL`, for pushes that are sent in another way."""
    if _recorder is None:
        raise RuntimeError('the apps are not ready: add "landfall.django" to INSTALLED_APPS')
    return _recorder
