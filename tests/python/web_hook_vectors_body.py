"""The vectors of bodies, headers and events, and of what a hook registers."""

from __future__ import annotations

import base64
import json
from typing import Any

from web_hook_signing import AUD, AZURE_KEY, EPOCH, KEY, azure_query, jwt, query, signed_query

COMPLETE = {"id": "5f0c", "surveyId": 7, "state": "Completed", "updatedAt": "2026-11-21T11:59:00Z"}


def bodies(add: Any, auth: str, event_key: Any) -> None:
    def case(name: str, verdict: str, body: Any, hook: str = "basic", **more: Any) -> None:
        add("body", name, hook, verdict, auth=auth, body=body, **more)

    def event(name: str, body: Any, kind: str, event_type: str | None = None, hook: str = "basic", **more: Any) -> None:
        text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)
        expected = {"kind": kind} | ({"eventType": event_type} if event_type else {})
        add("event", name, hook, "ok", auth=auth, body=text, event=expected, **more)

    wrapped = {"eventType": "InterviewComplete", "entity": COMPLETE}
    text = json.dumps(wrapped)
    key = event_key("InterviewComplete", "interview", "5f0c", "2026-11-21T11:59:00.000Z")
    case("as it came", "ok", text, key=key)
    case("with its length", "ok", text, headers=[["Content-Length", str(len(text))]])
    case("another length after unpacking", "ok", text, headers=[["Content-Length", "9"], ["Content-Encoding", "gzip"]])
    case("another length in chunks", "ok", text, headers=[["Content-Length", "9"], ["Transfer-Encoding", "chunked"]])
    case("a length that is no number", "ok", text, headers=[["Content-Length", "many"]])
    case("a byte order mark", "ok", "\ufeff" + text, key=key)
    case("space around it", "ok", f"\r\n {text}\t\n", key=key)
    case("another content type", "ok", text, headers=[["Content-Type", "text/plain"]])
    case("nested 64 deep", "ok", '{"x":' + "[" * 63 + "]" * 63 + "}")
    case("brackets inside a text", "ok", json.dumps({"x": "[" * 500 + '\\"' + "{" * 500}))
    case("empty", "body_empty", "")
    case("empty, length 0", "body_empty", "", headers=[["Content-Length", "0"]])
    case("read by something else first", "body_consumed", "", headers=[["Content-Length", str(len(text))]])
    case("an object of JavaScript as text", "body_parsed", "[object Object]")
    case("a list of objects of JavaScript", "body_parsed", "[object Object],[object Object]")
    case("a dict of Python as text", "body_parsed", "{'eventType': 'InterviewComplete'}")
    case("a form of Werkzeug", "body_parsed", "ImmutableMultiDict([('a', 'b')])")
    case("a form of Django", "body_parsed", "<QueryDict: {'a': ['b']}>")
    case("a body as a form", "body_parsed", "%7B%22eventType%22%3A%22InterviewComplete%22%7D=")
    case("an object of Java", "body_parsed", "java.util.HashMap@1b6d3586")
    case("an object of .NET", "body_parsed", "System.Collections.Generic.Dictionary")
    case("written again with another length", "body_reencoded", text.replace(" ", ""), headers=[["Content-Length", str(len(text))]])
    case("cut off by a parser's limit", "body_reencoded", text[:40], headers=[["Content-Length", str(len(text))]])
    case("JSON inside a text", "body_reencoded", json.dumps(text))
    case("JSON of a list inside a text", "body_reencoded", '"[1]"')
    case("not UTF-8", "body_not_utf8", {"base64": base64.b64encode(b'{"x": "\xff\xfe"}').decode()})
    case("Latin-1", "body_not_utf8", {"base64": base64.b64encode('{"x": "ä"}'.encode("latin-1")).decode()})
    case("UTF-16", "body_not_utf8", {"base64": base64.b64encode(text.encode("utf-16")).decode()})
    case("a surrogate in UTF-8", "body_not_utf8", {"base64": base64.b64encode(b'{"x": "\xed\xa0\x80"}').decode()})
    case("overlong UTF-8", "body_not_utf8", {"base64": base64.b64encode(b'{"x": "\xc0\xaf"}').decode()})
    case("gzip", "body_not_utf8", {"base64": "H4sIAAAAAAAA/6tWKlCyUtBRKq4FALzsMBQKAAAA"})
    case("NULs", "body_not_json", "\0\0\0\0")
    case("only space", "body_not_json", "  \n")
    case("only a byte order mark", "body_not_json", "\ufeff")
    case("two byte order marks", "body_not_json", "\ufeff\ufeff" + text)
    case("XML", "body_not_json", "<event><type>InterviewComplete</type></event>")
    case("a page", "body_not_json", "<!DOCTYPE html><html></html>")
    case("a form", "body_not_json", "eventType=InterviewComplete&id=1")
    case("several parts", "body_not_json", "--x\r\nContent-Disposition: form-data\r\n\r\n--x--")
    case("cut off", "body_not_json", text[:-3])
    case("a comma at the end", "body_not_json", '{"a": 1,}')
    case("a comment", "body_not_json", '{"a": 1} // x')
    case("two values", "body_not_json", "{} {}")
    case("a name without quotes", "body_not_json", "{eventType: 1}")
    case("not a number", "body_not_json", '{"a": NaN}')
    case("a line break in a text", "body_not_json", '{"a": "b\nc"}')
    case("a leading zero", "body_not_json", '{"a": 01}')
    case("a wrong escape", "body_not_json", '{"a": "\\x41"}')
    case("nested 65 deep", "body_too_deep", '{"x":' + "[" * 64 + "]" * 64 + "}")
    case("nested very deep", "body_too_deep", {"before": "", "repeat": "[", "times": 100_000, "after": ""})
    case("nested very deep, objects", "body_too_deep", {"before": "", "repeat": '{"a":', "times": 100_000, "after": ""})
    for what, number in {"an integer of 5,000 digits": "9" * 5_000, "a fraction of 5,000 digits": "0." + "1" * 5_000,
                         "an exponent of 5,000 digits": "1e-" + "1" * 5_000, "an integer of 513 digits": "-" + "9" * 512}.items():  # fmt: skip
        case(what, "body_number_too_long", '{"entity": {"id": ' + number + "}}")
        case(what + ", where nobody looks", "body_number_too_long", '{"x": [[' + number + "]]}")
    case("512 digits", "ok", '{"x": ' + "9" * 512 + "}")
    case("a text of 5,000 digits", "ok", '{"x": "' + "9" * 5_000 + '"}')
    case("numbers beyond every type", "ok", '{"x": [1e999, -1e999, 1e-999, 99999999999999999999999, -0, 1E+2]}')
    case("a name twice", "body_ambiguous", '{"eventType": "A", "eventType": "B"}')
    case("a name twice, the same", "body_ambiguous", '{"a": 1, "a": 1}')
    case("a name twice, once escaped", "body_ambiguous", '{"a": 1, "\\u0061": 2}')
    case("a name twice in the entity", "body_ambiguous", '{"entity": {"id": 1, "id": 2}}')
    case("just as large as allowed", "ok", '{"x": "' + "y" * 55 + '"}', "small")
    case("one byte too large", "body_too_large", '{"x": "' + "y" * 56 + '"}', "small")
    case("huge", "body_too_large", {"before": '{"x": "', "repeat": "y", "times": 1 << 20, "after": '"}'})
    case("large and allowed", "ok", {"before": '{"x": "', "repeat": "y", "times": 1_000_000, "after": '"}'})
    add("body", "huge from a stranger", "basic", "body_too_large", body={"before": "", "repeat": "y", "times": 2 << 20, "after": ""})
    add("body", "wrong from a stranger", "basic", "authorization_missing", body="{")
    add("body", "absent from a stranger", "basic", "authorization_missing", body="")
    _headers(add, auth)
    _events(event, wrapped, event_key)


def _headers(add: Any, auth: str) -> None:
    def case(name: str, verdict: str, headers: Any) -> None:
        add("headers", name, "basic", verdict, auth=auth, headers=headers)

    case("200 of them", "ok", [[f"X-{n}", "v"] for n in range(199)])
    case("201 of them", "headers_too_large", [[f"X-{n}", "v"] for n in range(200)])
    case("one that is huge", "headers_too_large", [["X", {"before": "", "repeat": "v", "times": 70_000, "after": ""}]])
    case("one that is not UTF-8", "ok", [["X", {"base64": "//4="}]])
    add("headers", "an Authorization that is not UTF-8", "basic", "authorization_malformed",
        headers=[["Authorization", {"base64": base64.b64encode(b"Basic \xff\xfe").decode()}]])  # fmt: skip


def _events(event: Any, wrapped: Any, event_key: Any) -> None:
    interview, complete = "interview", "InterviewComplete"
    key = event_key(complete, interview, "5f0c", "2026-11-21T11:59:00.000Z")
    for name, where in {"under entity": "entity", "under data": "data", "under payload": "payload", "under content": "content",
                        "under its kind": "interview"}.items():  # fmt: skip
        event(f"an interview {name}", {"eventType": complete, where: COMPLETE}, interview, complete, key=key)
    event("an interview beside the type", {"eventType": complete} | COMPLETE, interview, complete, key=key)
    event("an interview alone", COMPLETE, interview)
    pascal = {"Id": "5f0c", "SurveyId": 7, "State": "Completed", "UpdatedAt": "2026-11-21T11:59:00.000Z"}
    event("names in another case", {"EventType": complete, "Entity": pascal}, interview, complete, key=key)
    event("names with underscores", {"event_type": complete, "entity": {"id": "5f0c", "updated_at": "2026-11-21 11:59:00"}}, interview, complete, key=key)
    event("a time with an offset", {"eventType": complete, "entity": COMPLETE | {"updatedAt": "2026-11-21T12:59:00+01:00"}}, interview, complete, key=key)
    columns = [{"id": "Id", "value": "5f0c"}, {"id": "UpdatedAt", "value": "2026-11-21T11:59:00Z"}, {"id": "NPS", "value": 9}]
    event("an interview in columns", {"eventType": complete, "entity": {"columns": columns}}, interview, complete, key=key)
    event("an interview in columns, alone", {"columns": columns}, interview)
    event("an interview without a time", {"eventType": complete, "entity": {"id": "5f0c"}}, interview, complete, key=event_key(complete, interview, "5f0c", ""))
    event("a time that cannot be read", {"eventType": complete, "entity": COMPLETE | {"updatedAt": "soon"}}, interview, complete, key=event_key(complete, interview, "5f0c", ""))
    # Years that some languages cannot represent are not timestamps, and a leap second counts as the second
    # after it.
    for time in ("0000-01-01T00:00:00Z", "9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+23:59", "+10000-01-01T00:00:00Z", "-0001-01-01",
                 "10000-01-01", "262142-01-01T00:00:00Z", "0000-01-01", "2024-02-30T00:00:00Z", "2024-01-01T24:00:00Z", "1e99"):  # fmt: skip
        event(f"the time {time}", {"eventType": complete, "entity": COMPLETE | {"updatedAt": time, "startDate": time, "endDate": time}}, interview, complete,
              key=event_key(complete, interview, "5f0c", ""))  # fmt: skip
    event("a leap second", {"eventType": complete, "entity": COMPLETE | {"updatedAt": "2016-12-31T23:59:60Z"}}, interview, complete,
          key=event_key(complete, interview, "5f0c", "2017-01-01T00:00:00.000Z"))  # fmt: skip
    event("the first time and the last", {"eventType": complete, "entity": COMPLETE | {"startDate": "0001-01-01T00:00:00Z", "endDate": "9999-12-31T23:59:59.999999999Z"}},
          interview, complete, key=key)  # fmt: skip
    event("numbers beyond every type as ids", '{"eventType": "PanelMemberAdded", "entity": {"id": 1e999, "panelId": 99999999999999999999, "updatedAt": 1e400}}',
          "member", "PanelMemberAdded")  # fmt: skip
    event("fields that are null, or hold strange values", '{"eventType": "PanelMemberAdded", "entity": {"id": 1, "fields": {"A": null, "": {"value": 1e999}, '
          '"B": {"name": 5, "fieldType": [], "value": {"x": "\\ud83d"}}, "__proto__": {"value": "\\udc00"}}}}', "member", "PanelMemberAdded")  # fmt: skip
    event("halves of surrogate pairs as names and ids", '{"eventType": "InterviewComplete", "entity": {"id": "\\ud83d", "\\udc00": "\\u0000"}}', interview, complete)
    event("an event type that is half of a surrogate pair", '{"eventType": "\\ud83d"}', "unknown", "\ufffd")
    member = {"id": 9007199254740993, "panelId": 3, "fields": {"Email": {"name": "Email", "fieldType": "String", "value": "a@b.example"}}, "updatedAt": "2026-11-21T11:59:00Z"}
    for kind_of in ("PanelMemberAdded", "PanelMemberUpdated", "PanelMemberRemoved"):
        digits = event_key(kind_of, "member", "9007199254740993", "2026-11-21T11:59:00.000Z")
        event(f"{kind_of}, an id beyond 2^53", {"eventType": kind_of, "entity": member}, "member", kind_of, key=digits)
    event("a member with its id as text", {"eventType": "PanelMemberAdded", "entity": member | {"id": "9007199254740993"}}, "member", "PanelMemberAdded",
          key=event_key("PanelMemberAdded", "member", "9007199254740993", "2026-11-21T11:59:00.000Z"))  # fmt: skip
    event("a member alone", member, "member")
    event("fields that cannot be read", {"eventType": "PanelMemberAdded", "entity": {"id": 1, "fields": [1]}}, "member", "PanelMemberAdded")
    bounce = {"interviewId": "5f0c", "panelMemberId": 5, "bounceType": "Hard", "timestamp": "2026-11-21T11:00:00Z", "reason": "550"}
    event("HardBounce", {"eventType": "HardBounce", "entity": bounce}, "bounce", "HardBounce", key=event_key("HardBounce", "bounce", "5f0c", "2026-11-21T11:00:00.000Z"))
    event("a bounce alone", bounce, "bounce")
    opt_out = {"email": "a@b.example", "phone": 41791234567, "optOutAt": "2026-11-21T11:00:00Z", "optOutBy": "link"}
    for kind_of in ("OptOutAdded", "OptOutRemoved"):
        event(kind_of, {"eventType": kind_of, "optOut": opt_out}, "optOut", kind_of, key=event_key(kind_of, "optOut", "a@b.example", "2026-11-21T11:00:00.000Z"))
    event("an opt-out alone", opt_out, "optOut")
    for kind_of in ("SurveyClosed", "Approved", "ApprovalRequest"):
        event(kind_of, {"eventType": kind_of, "entity": {"id": 7, "name": "S", "status": "Closed"}}, "survey", kind_of)
    event("a body that does not say what happened", {"id": 7, "name": "S"}, "survey", "SurveyClosed", "closed")
    event("a body that says otherwise than the hook", wrapped, interview, complete, "closed")
    event("an event that nobody knows", {"eventType": "QuotaReached", "entity": {"id": 1}}, "unknown", "QuotaReached")
    event("an event that nobody knows with a known entity", {"eventType": "InterviewReset", "interview": COMPLETE}, interview, "InterviewReset")
    event("an event type in another case", {"eventType": "interviewcomplete", "entity": {"id": "1"}}, "unknown", "interviewcomplete")
    event("an event type that is a number", {"eventType": 3, "entity": {"x": 1}}, "unknown", "3")
    event("an event type that is an object", {"eventType": {"name": "x"}}, "unknown")
    event("an empty object", {}, "unknown")
    event("a list", [COMPLETE], "unknown")
    event("a number", "5", "unknown")
    event("a text", '"hello"', "unknown")
    event("null", "null", "unknown")
    event("an entity that is a text", {"eventType": complete, "entity": "5f0c"}, interview, complete)
    event("an entity that is null", {"eventType": complete, "entity": None}, interview, complete)
    event("other alphabets", {"eventType": "PanelMemberAdded", "entity": {"id": 1, "note": "日本語 \U0001f642 \u202e"}}, "member", "PanelMemberAdded")
    event("half of a surrogate pair", '{"eventType": "PanelMemberAdded", "entity": {"id": 1, "note": "\\ud83d"}}', "member", "PanelMemberAdded")
    event("a number of 400 digits", '{"eventType": "SurveyClosed", "entity": {"id": ' + "9" * 400 + "}}", "survey", "SurveyClosed")
    event("a name from JavaScript", '{"__proto__": {"admin": true}, "constructor": 1}', "unknown")
    # The same event again has the same key; another change, another interview or another event has a
    # different one.
    event("replayed", wrapped, interview, complete, key=key, after="event: an interview under entity", claim="done")
    event("replayed with other spaces and names", {"event_type": complete, "data": pascal}, interview, complete, after="event: an interview under entity", claim="done")
    event("the same interview, changed later", {"eventType": complete, "entity": COMPLETE | {"updatedAt": "2026-11-21T11:59:01Z"}}, interview, complete,
          after="event: an interview under entity", claim="new")  # fmt: skip
    event("another interview at the same time", {"eventType": complete, "entity": COMPLETE | {"id": "5f0d"}}, interview, complete,
          after="event: an interview under entity", claim="new")  # fmt: skip
    event("another event about the same interview", {"eventType": "InterviewReset", "interview": COMPLETE}, interview, "InterviewReset",
          after="event: an interview under entity", claim="new")  # fmt: skip
    event("unknown and replayed", {"eventType": "QuotaReached", "entity": {"id": 1}}, "unknown", "QuotaReached", after="event: an event that nobody knows", claim="done")
    event("unknown and another", {"eventType": "QuotaReached", "entity": {"id": 2}}, "unknown", "QuotaReached", after="event: an event that nobody knows", claim="new")


def made(hooks: dict[str, Any], secret: str, guid: str, auth: str) -> list[dict[str, Any]]:
    """The registration for an address, or the kind of error."""
    base = "https://acme.example/hooks"
    year = 86400 * 365
    issued = EPOCH - (1795262400 - 1780272000)  # from the 1st of June to the 21st of November at noon
    claims = f'{{"iss":"sondage","aud":"{AUD}","iat":{issued},"nbf":{issued},"exp":{issued + year}}}'
    token = "Bearer " + jwt(claims, header='{"alg":"HS256","typ":"JWT"}')
    named = signed_query(sr="orders/7", sp="write")
    rows = [
        ("obscure", base, f"{base}/{secret}", ""),
        ("obscure", base + "/", f"{base}/{secret}", ""),
        ("guid", base, f"{base}/{guid}", ""),
        ("obscure two", base, f"{base}/{secret}", ""),
        ("basic", base, base, auth),
        ("basic", base + "?tenant=acme", base + "?tenant=acme", auth),
        ("bearer", base, base, token),
        ("moving", base, base, token),
        ("signed", base, f"{base}?{query(signed_query())}", ""),
        ("signed", base + "?tenant=acme", f"{base}?tenant=acme&{query(signed_query())}", ""),
        ("signed named", base, f"{base}?{query(named)}", ""),
        ("azure", base, f"{base}?{query(azure_query())}", ""),
        ("basic", "http://127.0.0.1:8080/hooks", "http://127.0.0.1:8080/hooks", auth),
        ("basic", "http://localhost:8080/hooks", "http://localhost:8080/hooks", auth),
        ("basic", "http://[::1]:8080/hooks", "http://[::1]:8080/hooks", auth),
    ]
    good = [{"hook": hook, "base": base, "url": url, "securityToken": token} for hook, base, url, token in rows]
    refused = [
        ("basic", "http://acme.example/hooks"), ("basic", "http://localhost.evil.example/hooks"), ("basic", "http://127.0.0.1.evil.example/"),
        ("basic", "ftp://acme.example"), ("basic", "/hooks"), ("basic", ""), ("basic", "acme.example/hooks"), ("basic", base + "#x"),
        ("basic", "https://user:secret@acme.example/hooks"), ("basic", base + "/" + "x" * 2000), ("obscure", base + "?x=1"),
        ("signed", base + "?sig=x"), ("signed", base + "?%73ig=x"),
    ]  # fmt: skip
    return good + [{"hook": hook, "base": base, "error": "InvalidArgument"} for hook, base in refused]


def impossible(obscure: Any, basic: Any, bearer: Any, signed: Any, azure: Any) -> list[dict[str, Any]]:
    """Settings of a hook that are refused before anything is registered."""
    strategies = [
        obscure | {"secret": "short"}, obscure | {"secret": "a" * 31}, obscure | {"secret": "a" * 257}, obscure | {"secret": "a/" * 20},
        obscure | {"secret": "ä" * 32}, obscure | {"secret": ""}, {"strategy": "obscureUrl"},
        basic | {"user": "a:b"}, basic | {"user": ""}, basic | {"password": ""}, basic | {"password": "a\nb"}, {"strategy": "basic", "user": "a"},
        bearer | {"key": "k" * 31}, bearer | {"key": ""}, bearer | {"key": "k" * 1025}, bearer | {"audience": ""}, bearer | {"issuer": ""},
        bearer | {"days": 0}, bearer | {"days": 3651}, bearer | {"days": -1}, bearer | {"algorithm": "none"}, bearer | {"audience": "a\nb"},
        signed | {"key": "k" * 31}, signed | {"resource": ""}, signed | {"resource": "a\nb"}, signed | {"permission": ""},
        signed | {"days": 0}, signed | {"profile": "aws"}, azure | {"key": "not base64!"}, azure | {"key": base64.b64encode(b"k" * 31).decode()},
        azure | {"key": AZURE_KEY.rstrip("=")}, {"strategy": "hmac", "key": KEY}, {},
    ]  # fmt: skip
    return [{"strategy": strategy} for strategy in strategies] + [
        {"strategy": basic, "previous": {"strategy": "basic", "user": "", "password": "x"}},
        {"strategy": basic, "maxbody": 5},
        {"previous": basic},
    ]


def shapes(token: str) -> list[dict[str, Any]]:
    """Headers as frameworks and gateways hand them over, for the hook `basic`. Without a verdict they are a wrong argument."""
    environ = {"REQUEST_METHOD": "POST", "wsgi.version": [1, 0], "CONTENT_TYPE": "application/json", "HTTP_AUTHORIZATION": token}
    return [
        {"name": "an object", "headers": {"Authorization": token}, "verdict": "accepted"},
        {"name": "pairs", "headers": [["authorization", token]], "verdict": "accepted"},
        {"name": "lists of values", "headers": {"Authorization": [token], "Accept": ["a", "b"]}, "verdict": "accepted"},
        {"name": "pairs with lists", "headers": [["Authorization", [token]]], "verdict": "accepted"},
        {"name": "blanks around a value", "headers": {"Authorization": f"  {token} "}, "verdict": "accepted"},
        {"name": "an environ", "headers": environ, "verdict": "accepted"},
        {"name": "a list of two", "headers": {"Authorization": [token, token]}, "verdict": "refused", "reason": "authorization_doubled"},
        {"name": "a list of none", "headers": {"Authorization": []}, "verdict": "refused", "reason": "authorization_missing"},
        {"name": "no value", "headers": {"Authorization": None}, "verdict": "refused", "reason": "authorization_missing"},
        {"name": "nothing", "headers": None},
        {"name": "a text", "headers": "Authorization"},
        {"name": "a number", "headers": 5},
    ]
