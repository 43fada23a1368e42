-- A text as a number in whole hundredths, halves away from 0; NULL: it is none.
CREATE MACRO hundredths(text) AS round(plain_number(text) * 100)
