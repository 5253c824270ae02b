"""How Schemathesis tests the sandbox: requests that are likely to be accepted, and accounts to send them to."""

from __future__ import annotations

import json
import urllib.parse
import urllib.request
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import sondage
from conftest import DEADLINE
from hypothesis import strategies as st

if TYPE_CHECKING:
    from types import TracebackType

    import schemathesis
    from typing_extensions import Self

QUESTIONNAIRE = {
    "allowMultipleParticipation": False, "allowNavigateBack": True, "randomizeSections": False,
    "codeAccessMode": "None", "defaultLanguage": "en", "languages": ["en"], "customVariables": [],
    "sections": [], "surveyEndText": [],
}  # fmt: skip
ADA = {"fields": {"Email": {"name": "Email", "fieldType": "String", "value": "ada@example.com"}}}
LETTER = {
    "language": "en", "from": "us@example.com", "to": "ada@example.com", "subject": "Hello", "body": "Dear Ada",
}  # fmt: skip

MEANINGFUL: MappingProxyType[str, list[Any]] = MappingProxyType(
    {
        "members": [[ADA], [], [{"fields": {}}], [{"id": 500_001, "fields": {}}]],
        "panelMembersIds": [[500_001], [500_002, 500_003]],
        "surveyDefinition": [QUESTIONNAIRE],
        "from": ["us@example.com"],
        "to": ["ada@example.com"],
        "webHookUrl": ["https://a.example"],
        "entityIdentifier": ["*"],
        "path": ["logos/a.png"],
        "name": ["Readers"],
    }
)
"""Valid values for fields that have no example in the document."""


class World:
    """A demo account that contains one object of every kind."""

    def __init__(self) -> None:
        # The document requires what the library requires.
        self.box = box = sondage.Sandbox(profile={"keepInterviewsRequired": True})
        client = box.client()
        hook = client.create_web_hook(event_type="Approved", entity_identifier="*", web_hook_url="https://a.example")
        template, survey = box.message_template_id, box.feedback_survey_id
        client.invite_members(survey_id=survey, panel_id=box.panel_id, message_template_id=template, channel="Email")
        definition = sondage.SurveyDefinition.from_dict(QUESTIONNAIRE)
        draft = client.create_survey(workspace_id=box.workspace_id, name="Draft", survey_definition=definition)
        client.create_artifact(workspace_id=box.workspace_id, path="letters")
        self.draft = draft.survey_id
        form = {"grant_type": "client_credentials", "client_id": box.client_id, "client_secret": box.client_secret}
        body = urllib.parse.urlencode(form).encode()
        with urllib.request.urlopen(f"{box.auth_url}/openid/token", body, timeout=DEADLINE) as answer:
            self.bearer = {"Authorization": f"Bearer {json.load(answer)['access_token']}"}
        self.own = {"webHookId": hook.web_hook_id, "username": box.username, "password": box.password}
        """Values that differ from sandbox to sandbox."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: TracebackType | type | BaseException | None) -> None:
        self.box.stop()

    def document(self) -> dict[str, Any]:
        """The sandbox's own document, with ids of the account as examples."""
        with urllib.request.urlopen(f"{self.box.base_url}/openapi.json", timeout=DEADLINE) as answer:
            found: dict[str, Any] = json.load(answer)
        return found

    def send(self, case: schemathesis.Case[Any]) -> Any:
        """The response to a request."""
        if isinstance(case.body, dict):
            case.body |= {name: own for name, own in self.own.items() if case.body.get(name) == name}
        return case.call(base_url=self.box.base_url, headers=self.bearer, timeout=DEADLINE)

    def sure(self) -> dict[str, list[dict[str, Any]]]:
        """Requests whose fields must match each other, which random generation does not find."""
        emails = [{"email": "ada@example.com", "optOutOperation": "Add"}]
        design = {"workflow": "SurveyDesign"}
        workspace = {"workspaceId": self.box.workspace_id}
        page = self.box.client().read_interview_list_compact(survey_id=self.box.feedback_survey_id)
        interview = {"surveyId": self.box.feedback_survey_id, "interviewId": page.interviews[0]["Id"]}
        invitation = {
            "surveyId": self.box.survey_id, "panelId": self.box.panel_id, "channel": "Email",
            "messageTemplateId": self.box.message_template_id,
        }  # fmt: skip
        points = {"name": "Points", "type": "Number"}
        return {
            "UpdatePanel": [{"panelId": self.box.panel_id, "addedFields": [points]}],
            "CreateAndInviteMembers": [invitation | {"members": [ADA]}, invitation | {"members": []}],
            "InviteMembers": [invitation],
            "DeleteMembers": [{"panelId": self.box.panel_id, "panelMembersIds": [500_001], "keepInterviews": True}],
            "UpdateMembers": [{"panelId": self.box.panel_id, "members": [{"id": 500_001, "fields": {}}]}],
            "DownloadAnswers": [interview | {"tenant": self.box.tenant, "showPartialCompleted": "true"}],
            "DeleteInterview": [interview],
            "ResetInterview": [interview],
            "ReadInterview": [interview | {"tenant": self.box.tenant}],
            "ExecuteSendMail": [LETTER, LETTER | {"fromName": "Us", "replyToName": ""}],
            "CreateArtifact": [workspace | {"path": "logos"}],
            "WriteOptOutList": [{"panelId": self.box.panel_id, "emails": emails}],
            "UpdateSurvey": [{"surveyId": self.draft, "surveyDefinition": QUESTIONNAIRE}],
            "ExecuteWorkflowTransition": [design | {"surveyId": self.box.feedback_survey_id, "targetState": "Closed"}],
            "ReadWorkflowTransitions": [design | {"currentState": "Published"}],
            "DeleteArtifact": [workspace | {"path": "letters"}],
        }


def narrowed(document: dict[str, Any]) -> dict[str, Any]:
    """The document with unknown fields and enumeration values forbidden. The real one permits them."""
    narrow: dict[str, Any] = json.loads(json.dumps(document))
    schemas = narrow["components"]["schemas"]
    for name, schema in schemas.items():
        words = [way for way in schema.get("anyOf", []) if "enum" in way]
        schemas[name] = words[0] if words else schema
        if "properties" in schema:
            schema.setdefault("additionalProperties", False)
    return narrow


class Likely:
    """Makes requests likely to be accepted: with invented ids and addresses all would be refused."""

    def __init__(self, world: World) -> None:
        document = world.document()
        models = document["components"]["schemas"]
        fields = [field for model in models.values() for field in model.get("properties", {}).items()]
        examples = {name: field["examples"] for name, field in fields if field.get("examples")}
        self._values = MEANINGFUL | examples | {name: [name] for name in world.own}
        self._required: dict[str, list[str]] = {}
        for path, methods in document["paths"].items():
            for body in (call["requestBody"] for call in methods.values() if "requestBody" in call):
                name = body["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
                self._required[path] = models[name].get("required", [])
        self._sure = world.sure()

    def of(self, path: str, valid: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        """Valid requests: two of three have few optional fields, and most are accepted."""
        required, sure = self._required.get(path, ()), self._sure.get(path.rpartition("/")[2], [])

        @st.composite
        def likely(draw: st.DrawFn) -> Any:
            case, everything = draw(valid), draw(st.integers(0, 2)) == 0
            if isinstance(case.body, dict):
                kept = {name: value for name, value in case.body.items() if everything or name in required}
                case.body = self._led(draw, kept)
            if case.query:
                case.query = self._led(draw, case.query)
            if sure and draw(st.integers(0, 2)):
                request = dict(draw(st.sampled_from(sure)))
                (case.query, case.body) = (request, case.body) if case.query else (case.query, request)
            return case

        return likely()

    def _led(self, draw: st.DrawFn, value: Any) -> Any:
        if isinstance(value, float) and value.is_integer():
            return int(value)  # The schema accepts 1.0 as an integer; the sandbox does not.
        if isinstance(value, list):
            return [self._led(draw, item) for item in value]
        if not isinstance(value, dict):
            return value
        known = {name: self._values[name] for name in value if name in self._values and draw(st.integers(0, 9))}
        return {
            name: draw(st.sampled_from(known[name])) if name in known else self._led(draw, item)
            for name, item in value.items()
        }
