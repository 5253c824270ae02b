"""Complete lists as tables: bounces, opt-outs, and every other paged list of the API."""

from __future__ import annotations

import asyncio
import json
from datetime import datetime

import pyarrow as pa
import pytest
import sondage


def test_bounces(client: sondage.Client, box: sondage.Sandbox) -> None:
    box.set_profile({"bouncesPerThousand": 200})
    client.invite_members(
        survey_id=box.survey_id, panel_id=box.panel_id, message_template_id=box.message_template_id, channel="Email"
    )
    bounces = list(client.pages(client.read_bounce_list, survey_id=box.survey_id))
    table = client.table(client.read_bounce_list, survey_id=box.survey_id)
    assert len(table) == len(bounces) > 10
    assert pa.table(table).schema.field("panel_member_id").type == pa.int64()
    for row, bounce in zip(table, bounces):
        assert (row["bounce_type"], row["email"]) == (bounce.bounce_type, bounce.email)
        assert isinstance(row["timestamp"], datetime) and row["timestamp"] == bounce.timestamp
    assert table.to_pandas()["panel_member_id"].notna().all()
    assert table.label("reason") == "The reason that the mail server or the mobile operator gave."


def test_opt_outs(client: sondage.Client, box: sondage.Sandbox) -> None:
    nobody = client.table(client.read_opt_out_list, panel_id=box.panel_id)
    item = sondage.EmailItem(email="no@example.com", opt_out_operation="Add")
    client.write_opt_out_list(panel_id=box.panel_id, emails=[item])
    somebody = client.table(client.read_opt_out_list, panel_id=box.panel_id)
    assert len(somebody) == len(nobody) + 1 and somebody.columns == nobody.columns


def test_what_is_nested_is_json(client: sondage.Client, box: sondage.Sandbox) -> None:
    rows = list(client.table(client.read_member_list, panel_id=box.panel_id))
    fields = json.loads(rows[0]["fields"])
    first = next(iter(client.members(box.panel_id)))
    assert fields["Email"]["value"] == first["Email"] and len(rows) == 200


def test_what_is_no_list_or_has_no_columns(client: sondage.Client, box: sondage.Sandbox) -> None:
    with pytest.raises(sondage.InvalidArgument, match="interviews"):
        client.table(client.read_interview_list_compact, survey_id=box.survey_id)
    with pytest.raises(sondage.InvalidArgument, match="pages"):
        client.table(client.read_panel, panel_id=box.panel_id)  # type: ignore[arg-type]


def test_asyncio(box: sondage.Sandbox) -> None:
    async def main() -> int:
        async with box.async_client() as client:
            return len(await client.table(client.read_workspace_list))

    assert asyncio.run(main()) > 0
