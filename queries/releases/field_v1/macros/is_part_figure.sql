-- Whether a figure's path in VLMEvalKit's files says that it is of a part of the questions or of
-- the variants of each: split=none|ADE20K, Setting=Worst Case|Overall. Every piece of one of the
-- whole is a word for that, or the run's split.
CREATE MACRO is_part_figure(metric, its_split) AS
array_length(
    list_filter(
        string_split(python_lower(metric), '|'),
        lambda x_:
            contains(
                '|none|overall|all|total|average|avg|mean|acc|accuracy|score|final_score|final score|'
                || 'overall_acc|overall acc|overall_score|overall score|overall accuracy|avg_score|'
                || 'average_score|average score|avg_acc|',
                '|' || split_part(x_ || '=' || x_, '=', 2) || '|'
            ) IS FALSE
            AND x_ <> 'split=' || python_lower(coalesce(its_split, split_part(x_ || '=', '=', 2)))
    )
) > 0
