# Python 3.8 or later. secret: as shown, whsec_ included. header: X-Service-Signature. body: the raw bytes.
import hashlib
import hmac
import re
import time

FORM = re.compile(r"t=(0|[1-9][0-9]{0,9})((?:,v1=[0-9a-f]{64}){1,32})")


def verify(secret, header, body, now=None):
    match = FORM.fullmatch(header or "")
    if match is None or abs((time.time() if now is None else now) - int(match[1])) > 300:
        return False
    expected = hmac.new(secret.encode(), match[1].encode() + b"." + body, hashlib.sha256).hexdigest()
    return any(hmac.compare_digest(given, expected) for given in match[2].split(",v1=")[1:])
