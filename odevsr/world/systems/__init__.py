"""Systems: what is studied, in files and by name, with its equations for those who may see them."""
