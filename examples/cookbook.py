"""Recipes for answers in pandas, on a survey platform in this process."""

import pandas as pd
import sondage

with sondage.Sandbox.demo() as box:
    client = box.client()
    table = client.interviews(box.survey_id, fields=["age", "PID", "vote"]).completed().table()
    people = table.with_labels().to_pandas()

    # A crosstab: who voted for whom, in percent of each column.
    shares = pd.crosstab(people["PID"], people["vote"], normalize="columns")
    print((100 * shares).round(1))

    # Weights: 60 % of the population are younger than 45, so 60 % of the weight is theirs.
    young = people["age"] < 45
    target = {True: 0.6, False: 0.4}
    people["weight"] = young.map(target) / young.map(young.value_counts(normalize=True))
    weighted = people.pivot_table(index="PID", columns="vote", values="weight", aggfunc="sum", observed=False)
    print((100 * weighted / weighted.sum()).round(1))

    # Codes and labels: the codes for computing, the labels for reading, in the questionnaire's order.
    parties = table.values("PID")
    print(parties[0], "to", parties[6])
    codes = table.to_pandas()
    print(codes.groupby("vote")["PID"].mean().round(2).tolist())

    # Multiple choice: a list for each respondent. `None`: not asked; `[]`: nothing chosen.
    feedback = client.interviews(box.feedback_survey_id, fields=["Id", "topics", "nps", "since"]).table()
    chosen = feedback.with_lists().with_labels().to_pandas()["topics"]
    asked = chosen.dropna()
    print(f"{len(asked)} of {len(chosen)} were asked, {sum(len(topics) == 0 for topics in asked)} chose nothing")
    print((100 * asked.explode().value_counts(sort=False).sort_index() / len(asked)).round(1))

    # A matrix in long form: one row for each respondent and each row of the matrix, named by its label.
    matrix = client.interviews(box.feedback_survey_id, fields=["Id", "aspects"]).table()
    wide = matrix.with_labels().to_pandas().rename(columns=lambda name: matrix.label(name) or name)
    long = wide.melt(id_vars="Id", var_name="row", value_name="answer").dropna()
    print(pd.crosstab(long["row"], long["answer"]))

    # The net promoter score: the share of 9 and 10 minus the share of 0 to 6.
    nps = feedback.to_pandas()["nps"].dropna()
    print("NPS:", round(100 * ((nps >= 9).mean() - (nps <= 6).mean())))

    # Codes such as "don't know" must be left out of a mean. This survey has none for income, so 24, "105 and over", stands in for one.
    income = client.interviews(box.survey_id, fields=["income"]).table()
    answered = income.with_missing({"income": [24]}).to_pandas()["income"]
    print("mean:", round(income.to_pandas()["income"].mean(), 2), "without 24:", round(answered.mean(), 2))

    # Answers joined with the panel's fields for each person.
    answers = client.interviews(box.feedback_survey_id, fields=["PanelMemberId", "nps"]).to_pandas()
    members = client.members(box.panel_id, fields=["Language"]).to_pandas()
    both = answers.merge(members, left_on="PanelMemberId", right_on="id")
    print(both.groupby("Language")["nps"].agg(["count", "mean"]).round(1))

    # A codebook with a row for each code, for a report.
    print(table.codebook().values().to_pandas().tail(2).to_string(index=False))
