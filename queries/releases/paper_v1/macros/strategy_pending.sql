-- How many of the pending verdicts could still change what a strategy makes of a question.
CREATE MACRO strategy_pending(strategy_name, right_count, pending_count, required_count, hidden_count) AS
CASE
    WHEN hidden_count > 0 THEN 0
    WHEN strategy_name = 'vanilla_all' OR right_count + pending_count >= required_count THEN pending_count
    ELSE 0
END
