-- Whether right and wrong are tested by McNemar's test, which takes every question as independent:
-- where no two questions share their images.
CREATE MACRO is_mcnemar(n_clusters, n, n_apart) AS n_clusters = n
