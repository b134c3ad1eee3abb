"""Sends the requests of a paired podcastd, and of others. Usage: peer.py URL NAME KEY

Signs and checks by RFC 9421 on its own. Prints one JSON object: the status of each request, negative if the answer is not signed.
"""
import base64
import hashlib
import hmac
import json
import secrets
import sys
import time
import urllib.error
import urllib.request

url, name, key = sys.argv[1].rstrip("/"), *sys.argv[2:]


def sign(lines, key):
    code = hmac.new(key.encode(), "\n".join(lines).encode(), hashlib.sha256).digest()
    return f"podcastd=:{base64.b64encode(code).decode()}:"


def digest(body):
    return f"sha-256=:{base64.b64encode(hashlib.sha256(body).digest()).decode()}:"


def headers(method, path, body, key=key, name=name, age=0, form="hmac-sha256"):
    covered = f'("@method" "@path" "content-digest");created={int(time.time()) - age};nonce="{secrets.token_hex(8)}"'
    covered += f';keyid="{name}";alg="{form}"'
    lines = [f'"@method": {method}', f'"@path": {path.split("?")[0]}', f'"content-digest": {digest(body)}']
    signature = sign(lines + [f'"@signature-params": {covered}'], key)
    result = {"Content-Digest": digest(body), "Signature-Input": "podcastd=" + covered, "Signature": signature}
    return result | ({"Content-Type": "application/json"} if body else {})


def send(method, path, body, fields, whole=True):
    request = urllib.request.Request(url + path, method=method, data=body or None, headers=fields)
    try:
        answer = urllib.request.urlopen(request, timeout=60)
    except urllib.error.HTTPError as error:
        return error.code
    covered = '("@status" "content-digest" "signature";req;key="podcastd")' if whole else '("@status" "signature";req;key="podcastd")'
    created = answer.headers["Signature-Input"].split(";created=")[-1].split(";")[0]
    covered += f';created={created};keyid="{name}";alg="hmac-sha256"'
    lines = [f'"@status": {answer.status}'] + ([f'"content-digest": {digest(answer.read())}'] if whole else [])
    lines += [f'"signature";req;key="podcastd": {fields.get("Signature", "")[len("podcastd="):]}', f'"@signature-params": {covered}']
    proved = answer.headers["Signature-Input"] == "podcastd=" + covered and answer.headers["Signature"] == sign(lines, key)
    return answer.status if proved else -answer.status


def signed(method, path, body=b"", whole=True, **what):
    return send(method, path, body, headers(method, path, body, **what), whole)


changes = "/api/v1/sync/changes"
once = headers("POST", changes, b"{}")
found = {
    "changes": send("POST", changes, b"{}", once),
    "again": send("POST", changes, b"{}", once),
    "status": signed("POST", "/api/v1/status/get", b"{}"),
    "events": signed("GET", "/events?parts=queue", whole=False),
    "other body": send("POST", changes, b'{"since":1}', headers("POST", changes, b"{}")),
    "other path": send("POST", "/api/v1/status/get", b"{}", headers("POST", changes, b"{}")),
    "old": signed("POST", changes, b"{}", age=3600),
    "of the year 1": signed("POST", changes, b"{}", age=-(1 << 62)),
    "other key": signed("POST", changes, b"{}", key=key + "0"),
    "other name": signed("POST", changes, b"{}", name="desk"),
    "other method": signed("POST", changes, b"{}", form="none"),
    "nonsense": send("POST", changes, b"{}", headers("POST", changes, b"{}") | {"Signature-Input": 'podcastd=;"' + ";=" * 100}),
    "private address": signed("POST", "/api/v1/playback/play", b'{"what":"http://127.0.0.7/x.mp3","peer":false}'),
    "path": signed("POST", "/api/v1/playback/play", b'{"what":"/etc/passwd"}'),
    "filter": signed("POST", "/api/v1/playback/play", b'{"what":"filter:is:new"}'),
    "outputs": signed("GET", "/events?parts=outputs", whole=False),
    "unsigned": send("POST", changes, b"{}", {"Content-Type": "application/json"}),
    "parameters in the query": signed("POST", changes + "?since=1"),
    "settings": signed("POST", "/api/v1/settings/list", b"{}"),
    "episodes": signed("POST", "/api/v1/episodes/list", b"{}"),
    "queue": signed("POST", "/api/v1/queue/clear", b"{}"),
    "devices": signed("POST", "/api/v1/devices", b'{"caption":"x"}'),
    "phone": signed("GET", "/api/2/devices/anna.json"),
    "page": signed("GET", "/"),
}
print(json.dumps(found))
