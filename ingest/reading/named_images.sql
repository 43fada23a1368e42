-- What a cell of `image` holds.

-- name: is_named
length(image::VARCHAR) <= {longest}
AND regexp_matches(image::VARCHAR, '(?i)\.(png|jpe?g|gif|webp|bmp)["'']?\s*\]?\s*$')

-- name: listed
CASE
    WHEN starts_with(image::VARCHAR, '[')
        THEN
            array_to_string(
                list_transform(
                    try_cast(image::VARCHAR AS VARCHAR[]),
                    lambda one: sha256(coalesce(try(from_base64(one)), encode(one)))
                ),
                ' '
            )
END
