% Prey and hunters, as a program in GNU Octave that odevsr experiments on:
%
%     odevsr discover --command "octave-cli --quiet plant.m"
%
% A line "step,prey,hunters" is answered by "prey,hunters" after that time.
1;

function y = moved(y, h)
  rate = @(y) [y(1) * (1.5 - y(2)), y(2) * (0.5 * y(1) - 1)];
  k1 = rate(y);
  k2 = rate(y + h / 2 * k1);
  k3 = rate(y + h / 2 * k2);
  k4 = rate(y + h * k3);
  y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
end

while true
  try
    line = input("", "s");  % fgetl gives a line only when the next one has begun
  catch
    break  % nobody asks any more
  end
  if line(1) == "{"  % {"hello": 1}
    printf('{"lines": "csv", "variables": {"prey": [0.5, 4], "hunters": [0.5, 3]}}');
  else
    row = str2double(strsplit(line, ","));
    y = row(2:3);
    parts = 1 + floor(min(1e4, abs(row(1)) / 1e-3));
    for part = 1:parts
      y = moved(y, row(1) / parts);
    end
    printf("%.17g,%.17g", y);
  end
  printf("\n");
  fflush(stdout);  % an answer that is kept back is waited for
end
