-- Which columns a file has.

-- name: json_reader
read_json_objects({path}, format = '{layout}', maximum_object_size = {most})

-- name: keys_unlike_the_first
SELECT DISTINCT unnest(json_keys(json))
FROM {records}
WHERE json_keys(json) IS DISTINCT FROM ?
