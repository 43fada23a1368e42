-- What a pair of scores counts that cannot be read: nothing.
CREATE MACRO unread_part(reply) AS CASE WHEN reply IS NULL THEN CAST(NULL AS DOUBLE) END
