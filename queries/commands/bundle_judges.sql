-- Who the judges are.
SELECT
    name, task, kind, model, endpoint, template, template_sha256, sampling, retry_schedule,
    max_attempts, fingerprint
FROM main.judge
WHERE retracted_at IS NULL
ORDER BY name
