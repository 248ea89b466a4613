int pt_claim(const char *block, struct pt_error *err);
