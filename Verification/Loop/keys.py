"""The keys and the certificate that the loop needs, new for each run."""

from __future__ import annotations

import datetime
import ipaddress
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID


def write_keys(folder: Path) -> dict[str, str]:
    """Writes a certificate for 127.0.0.1 and its key, and keys for APNs, VAPID and FCM. Returns their paths."""
    elliptic = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Mock providers")])
    now = datetime.datetime.now(datetime.timezone.utc)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(elliptic.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(elliptic, hashes.SHA256())
    )
    parts = {"certificate": certificate.public_bytes(Encoding.PEM)}
    keys = {"ec_key": elliptic, "rsa_key": rsa.generate_private_key(65537, 2048)}
    for label, key in keys.items():
        parts[label] = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    for label, content in parts.items():
        (folder / f"{label}.pem").write_bytes(content)
    return {label: str(folder / f"{label}.pem") for label in parts}
