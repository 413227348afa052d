"""A certificate of our own making for loopback, as an organiser would make one with openssl."""

import subprocess
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Certificate (its own authority) and key, for 127.0.0.1 and localhost."""
    folder = tmp_path_factory.mktemp("tls")
    cert, key = folder / "cert.pem", folder / "key.pem"
    making = ["openssl", "req", "-x509", "-nodes", "-days", "1", "-subj", "/CN=localhost"]
    making += ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    making += ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    subprocess.run([*making, "-keyout", str(key), "-out", str(cert)], check=True, capture_output=True)
    return cert, key
