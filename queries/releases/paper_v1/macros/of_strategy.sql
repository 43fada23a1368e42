-- Which of two counts a strategy looks at: vanilla at that of pass 0, the others at that of every
-- pass.
CREATE MACRO of_strategy(strategy_name, first_count, all_count) AS
CASE WHEN strategy_name = 'vanilla' THEN first_count ELSE all_count END
