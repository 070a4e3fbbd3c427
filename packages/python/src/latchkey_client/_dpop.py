"""Proofs of the key pair that an API key or client token is bound to (RFC 9449)."""

from __future__ import annotations

import time
import uuid
from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import TYPE_CHECKING, TypeAlias

import httpx

if TYPE_CHECKING:
    from joserfc.jwk import ECKey, OKPKey, RSAKey

    ProvingKey: TypeAlias = ECKey | OKPKey | RSAKey

_ALGORITHMS = {"EC": "ES256", "OKP": "EdDSA", "RSA": "PS256"}


class Prover:
    """The headers that authenticate requests, with the nonces that the service gives."""

    def __init__(self, credential: str, key: ProvingKey | None) -> None:
        self._credential = credential
        self._key = key
        self._nonce: str | None = None

    def headers(self, method: str, url: str) -> dict[str, str]:
        if self._key is None:
            return {"Authorization": f"Bearer {self._credential}"}
        proof = self._prove(self._key, method, url)
        return {"Authorization": f"DPoP {self._credential}", "DPoP": proof}

    def wants_repetition(self, response: httpx.Response) -> bool:
        """Remembers the nonce of a response; whether the request was refused for want of it."""
        self._nonce = response.headers.get("dpop-nonce", self._nonce)
        challenge = response.headers.get("www-authenticate", "")
        return response.status_code == 401 and "use_dpop_nonce" in challenge

    def _prove(self, key: ProvingKey, method: str, url: str) -> str:
        from joserfc import jwt

        algorithm = _ALGORITHMS[key.key_type]
        header = {"typ": "dpop+jwt", "alg": algorithm, "jwk": key.as_dict(private=False)}
        digest = urlsafe_b64encode(sha256(self._credential.encode()).digest())
        claims = {
            "htm": method,
            "htu": url.split("?")[0],
            "ath": digest.decode().rstrip("="),
            "jti": str(uuid.uuid4()),
            "iat": int(time.time()),
        }
        if self._nonce is not None:
            claims["nonce"] = self._nonce
        return jwt.encode(header, claims, key, algorithms=[algorithm])
