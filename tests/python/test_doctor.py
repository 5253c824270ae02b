"""The doctor: what it finds, in Python's types."""

from __future__ import annotations

import sondage


def test_a_healthy_set_up_gets_no_complaint(client: sondage.Client) -> None:
    diagnosis = client.doctor()
    assert diagnosis.healthy, diagnosis
    assert {check.state for check in diagnosis.checks} == {"passed"}


def test_what_is_wrong_is_named_with_its_cure(box: sondage.Sandbox) -> None:
    diagnosis = box.client(client_secret="mistyped").doctor()
    assert not diagnosis.healthy
    (wrong,) = [check for check in diagnosis.checks if check.state == "failed"]
    assert wrong.check == "token" and "was not accepted" in wrong.found
    assert wrong.cure is not None and "Copy" in wrong.cure
    assert "mistyped" not in repr(diagnosis)
