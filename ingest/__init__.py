"""Reading what inference left behind. One adapter a file; `formats` lists them."""
