-- evalscope takes the thinking that it knows out of a reply itself; all that is left is read.
CREATE MACRO after_thinking(text) AS text
