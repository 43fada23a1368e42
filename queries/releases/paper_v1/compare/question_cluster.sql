-- Questions that show the same images (all of them: to have one of several in common is not
-- enough), as clusters named after their first question: what a model makes of an image it makes of
-- all of them, so that they are not independent of each other. A question of which no image is
-- known is its own cluster. One row per question.
-- @internal
-- @cluster_id The cluster, by its first question.
-- @n_sharing Questions in it.
WITH shown AS (
    SELECT question_id, array_to_string(list_sort(list(sha256)), ',') AS images
    FROM main.question_image
    GROUP BY question_id
),

placed AS (
    SELECT
        q.dataset_id, q.question_id,
        min(q.question_id) OVER (PARTITION BY q.dataset_id, s.images) AS cluster_id,
        count(*) OVER (PARTITION BY q.dataset_id, s.images) AS n_sharing
    FROM main.question AS q
    INNER JOIN shown AS s USING (question_id)
)

SELECT
    q.dataset_id, q.question_id, coalesce(p.cluster_id, q.question_id) AS cluster_id,
    coalesce(p.n_sharing, 1) AS n_sharing
FROM main.question AS q
LEFT JOIN placed AS p USING (question_id)
