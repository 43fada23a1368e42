-- Whether right and wrong are tested by McNemar's test, which is exact: where no two questions
-- share their images, or five or fewer are apart, of which no t can tell.
CREATE MACRO is_mcnemar(n_clusters, n, n_apart) AS n_clusters = n OR n_apart <= 5
