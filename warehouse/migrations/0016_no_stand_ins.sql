-- Kept results lie in a schema of their own next to each release's, and main has facts alone.

DROP TABLE main.kept_run;
DROP TABLE main.kept_subject;
DROP TABLE main.kept_judging;
DROP TABLE main.kept_ability_sum;
DROP TABLE main.kept_answered_ability;
DROP TABLE main.kept_answer_count;
DROP TABLE main.kept_judged_sum;
DROP TABLE main.kept_crossed_score;
