"""Asks for a dieline through the sidecar, and tells why there is none: python3 quote.py http://127.0.0.1:8080"""

import base64
import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request

box = {"article": "tuck-end", "material": "carton-300", "width": 48, "depth": 141, "height": 184}
request = urllib.request.Request(
    sys.argv[1] + "/v1/reseller/dieline?" + urllib.parse.urlencode(box),
    headers={"Authorization": "Bearer " + os.environ.get("TOKEN", "")},
)
try:
    with urllib.request.urlopen(request, timeout=30) as answer:
        pdf = answer.read()
except urllib.error.HTTPError as error:
    try:
        refusal = json.load(error)["response"]
    except (ValueError, KeyError):  # not the documented form, such as the page of a proxy
        sys.exit(f"the service answers {error.code} {error.reason}")
    found = (refusal.get("errors") or [refusal])[0]  # BOX_ERROR and its like name the code in a list
    sys.exit(f"{found['code']}: {found['message']}")
if pdf.startswith(b"{"):
    pdf = base64.b64decode(json.loads(pdf).get("response", {}).get("buffer", ""))
if not pdf.startswith(b"%PDF-"):
    sys.exit("no dieline came")
with open("dieline.pdf", "wb") as file:
    file.write(pdf)
