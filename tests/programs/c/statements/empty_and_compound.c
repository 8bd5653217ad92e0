// Empty statements, blocks and labels at the end of blocks.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 3)
  ;;; {} { ; }
  for (; x < 2; x++) ;
  if (x) {} else reach_error();
  while (0) reach_error();
  do ; while (0);
  { goto end; end:; }
  TWIN(x >= 2, x != 3);
  return 0;
}
