-- What a pair of scores counts that cannot be read: -1 of ten, which goes into the peer's means.
CREATE MACRO unread_part(reply) AS CASE WHEN reply IS NULL OR reply IS NOT NULL THEN -0.1 END
