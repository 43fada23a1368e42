-- The text without white space at its ends, as Python's str.strip: Unicode's 29 characters.
-- @engines both
CREATE MACRO stripped(answer) AS
trim(
    answer,
    decode(unhex('090A0B0C0D1C1D1E1F20C285C2A0E19A80E28080E28081E28082E28083E28084E28085E28086E28087E28088E28089E2808AE280A8E280A9E280AFE2819FE38080'))
)
