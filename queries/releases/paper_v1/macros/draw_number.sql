-- The first seven hexadecimal digits of a digest as a number: 0 to 268435455, the same on every
-- engine.
CREATE MACRO draw_number(digest) AS
(strpos('0123456789abcdef', substr(digest, 1, 1)) - 1) * 16777216
+ (strpos('0123456789abcdef', substr(digest, 2, 1)) - 1) * 1048576
+ (strpos('0123456789abcdef', substr(digest, 3, 1)) - 1) * 65536
+ (strpos('0123456789abcdef', substr(digest, 4, 1)) - 1) * 4096
+ (strpos('0123456789abcdef', substr(digest, 5, 1)) - 1) * 256
+ (strpos('0123456789abcdef', substr(digest, 6, 1)) - 1) * 16
+ (strpos('0123456789abcdef', substr(digest, 7, 1)) - 1)
