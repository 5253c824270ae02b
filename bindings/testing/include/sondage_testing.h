#ifndef SONDAGE_TESTING_H
#define SONDAGE_TESTING_H

/* A survey platform in this process. */
typedef struct sondage_sandbox sondage_sandbox;

/* Starts one with the demo data and with what the options name, a JSON object:

   content    "demo", or "waves" for two waves of an invented survey in addition
   members    a number of additional members
   data       the path of a CSV file with a row for each interview, which becomes a survey of its own
   codePlan   the path of the code plan of these interviews, a JSON file
   surveys    the paths of questionnaires in the form of the editor's export, JSON files: surveys that can be answered
   fill       how many invented people have answered each of `surveys` at the start

   Returns NULL when it cannot, and puts the reason into `why`, which the caller frees. */
sondage_sandbox *sondage_testing_start(const char *options, char **why);

/* Stops it, waits until its ports are closed, and frees it. */
void sondage_testing_stop(sondage_sandbox *sandbox);

/* Asks it, or makes it do something. The answer begins with `+` and is a value as text, or it begins with
   `-` and is the reason why there is none. The caller frees it.

   what            argument            value
   fact            its name            one of its addresses, ids or credentials, by its name in `sondage sandbox --json`
   fault           a fault as JSON     nothing: it hits future calls
   fill            {"surveyId": 7}     the ids of the interviews, one a line; also `people`, `seed`, `unfinished`
   answer          {"surveyId": 7, "rows": [{}]}   the ids of the interviews, one a line
   survey_ids      ""                  the surveys of the option `surveys`, one a line: id, blank, name
   emit            a cause as JSON     `true`, or `false` if there is no such interview, member or survey
   deliveries      ""                  the attempts to deliver events, one a line, with tabs between their parts
   settle          ""                  `true` if no attempt is due any more; it waits 20 ms at most
   drain           ""                  the same, and moves the clock to the next attempt
   clear           ""                  nothing: no faults, and an empty ledger
   requests        operation or "*"    how many requests arrived
   effects         operation or "*"    how many of them took effect
   token_requests  ""                  how many tokens were asked for
   revoke_tokens   ""                  nothing: no token is valid any more
   advance         seconds             nothing: its clock is later */
char *sondage_testing_ask(const sondage_sandbox *sandbox, const char *what, const char *argument);

/* Frees a text that this library has returned. */
void sondage_testing_free(char *text);

#endif
