%:include "../check.h"
%:define TWICE(a) (2 * (a))

int main(void) <%
  INPUT(x, 0, 4)
  int a<:2:> = <%x, TWICE(x)%>;
  TWIN(a<:1:> == x + x, a<:1:> != 6);
  return 0;
%>
