# Judges each line `name|secret|header|body|now` (header and body in base64) and says `name accepted` or `name refused`.
import sys
from base64 import b64decode

from verify import verify

for line in sys.stdin:
    name, secret, header, body, now = line.rstrip("\n").split("|")
    accepted = verify(secret, b64decode(header).decode(), b64decode(body), int(now))
    print(name, "accepted" if accepted else "refused")
