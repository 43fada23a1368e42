-- Each dataset by content.
SELECT dataset, content_hash, answer_hash
FROM dataset_summary
ORDER BY dataset
