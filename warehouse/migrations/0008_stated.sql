-- Verdicts that a harness's files hold without the judge's reply.

ALTER TABLE main.judgment ADD COLUMN question_id INTEGER;
ALTER TABLE main.judgment ADD COLUMN pass SMALLINT;
ALTER TABLE main.judgment ADD COLUMN sample SMALLINT;
ALTER TABLE main.judgment ADD COLUMN stated VARCHAR;
ALTER TABLE main.judgment ADD COLUMN score DOUBLE;
ALTER TABLE main.judgment ADD COLUMN word VARCHAR;
COMMENT ON COLUMN main.judgment.question_id IS
    'With stated: the question of the answer that the verdict is of, in run_id; NULL: the run does '
    'not have that answer (any more).';
COMMENT ON COLUMN main.judgment.pass IS 'With stated: the pass of that answer.';
COMMENT ON COLUMN main.judgment.sample IS 'With stated: the sample of that answer.';
COMMENT ON COLUMN main.judgment.stated IS
    'What the harness kept of a verdict: drawn (it drew a letter at random, as no reply could be '
    'read), word (what it read in the reply, without the reply), hit (whether the answer was '
    'right, and no more). NULL: the judgment is a reply, or a call that failed.';
COMMENT ON COLUMN main.judgment.score IS 'With stated: what the harness scored the answer, from 0 to 1.';
COMMENT ON COLUMN main.judgment.word IS 'With stated = word: the word, verbatim.';
COMMENT ON COLUMN main.judge.kind IS 'llm, human, import, keyword, or program (a library).';
COMMENT ON COLUMN main.judge.task IS
    'choice_extraction, soft_score, mark, answer_extraction or equivalence; of imports also '
    'letter_grade (GRADE: C, P or I), pair (two scores in a reply) and points.';

CREATE TABLE main.kept_judged_sum (
    run_id INTEGER,
    judge VARCHAR,
    ability_id INTEGER,
    n_ruled BIGINT,
    n_read BIGINT,
    points DOUBLE,
    reference_points DOUBLE
);
COMMENT ON TABLE main.kept_judged_sum IS
    'Always empty: stands in for a release''s own table of this name where that was dropped.';

CREATE TABLE main.kept_crossed_score (
    run_id INTEGER,
    judge VARCHAR,
    figure VARCHAR,
    figure_ordinal SMALLINT,
    level VARCHAR,
    other_level VARCHAR,
    ability_id INTEGER,
    other_ability_id INTEGER,
    score DOUBLE,
    n BIGINT
);
COMMENT ON TABLE main.kept_crossed_score IS
    'Always empty: stands in for a release''s own table of this name where that was dropped.';
