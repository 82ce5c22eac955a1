"""Operations on the text of components, which the methods of records and the functions share."""
