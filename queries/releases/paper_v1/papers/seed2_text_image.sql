-- SEED-Bench-2, Task 27 (Section 3.4): the text alone, and the text and the image together, which
-- is what counts. One row per run of a dataset with questions that want both, each model's latest,
-- of the models that reach the task.
-- @n Questions that want a text and an image.
-- @text_alone Answers whose text is right, in percent; NULL: hidden.
-- @text_and_image Answers whose text and image are right, in percent; NULL: hidden.
-- @lost Right texts whose image is wrong, in percent of the right texts; NULL: there are none, or
--   hidden.
-- @coverage Questions of the task that were answered in both parts, in percent of all.
SELECT
    t.dataset, t.run_id, t.model, t.n, 100 * t.text_score AS text_alone,
    100 * t.score AS text_and_image,
    CASE
        WHEN t.score IS NOT NULL
            THEN 100 * CAST(t.n_text_right - t.n_right AS DOUBLE) / nullif(t.n_text_right, 0)
    END AS lost,
    c.coverage
FROM component_score AS t
INNER JOIN seed_cell AS c USING (run_id)
WHERE c.ability = 'Text-Image Creation' AND c.judge = 'none' AND c.is_reached
