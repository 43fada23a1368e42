-- What of ours a harness's metric measures: score (the verdict of the answer), per_character or
-- per_byte (those picks by log-likelihood), mutual_information (that less the likelihood without
-- the question), log_likelihood (of a text that is given, for perplexity); NULL: nothing that is
-- computed here.
CREATE MACRO harness_measure(metric) AS
CASE
    WHEN python_lower(metric) = 'acc_norm' THEN 'per_character'
    WHEN python_lower(metric) = 'acc_bytes' THEN 'per_byte'
    WHEN python_lower(metric) = 'acc_mutual_info' THEN 'mutual_information'
    WHEN python_lower(metric) = 'perplexity' THEN 'log_likelihood'
    WHEN
        python_lower(metric) = 'f1'
        -- HELM's, of questions that it changed on purpose.
        OR contains(metric, 'perturbation=')
        OR regexp_matches(
            '_' || python_lower(metric) || '_',
            '_(bleu|rouge[0-9a-z]*|chrf|ter|mcc|ppl|perplexity|mc1|mc2|brier|likelihood|loglikelihood|entropy|info|std|var|stderr|bits|byte|tokens)_'
        )
        THEN CAST(NULL AS VARCHAR)
    ELSE 'score'
END
