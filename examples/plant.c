/* A pendulum with friction, driven by a torque, as a program that odevsr experiments on:

       cc -O2 -o plant plant.c -lm
       odevsr discover --command ./plant

   A line "step,angle,speed,torque" is answered by "angle,speed" after that time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double gravity_over_length = 9.81 / 1.5, friction = 0.2;

static void rate(const double y[2], double torque, double out[2]) {
    out[0] = y[1];
    out[1] = torque - friction * y[1] - gravity_over_length * sin(y[0]);
}

/* One Runge-Kutta step of order 4. */
static void move(double y[2], double torque, double h) {
    static const double share[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    double at[2], slope[2] = {0, 0}, sum[2] = {0, 0};
    for (int stage = 0; stage < 4; stage++) {
        for (int i = 0; i < 2; i++) at[i] = y[i] + share[stage] * h * slope[i];
        rate(at, torque, slope);
        for (int i = 0; i < 2; i++) sum[i] += weight[stage] * slope[i];
    }
    for (int i = 0; i < 2; i++) y[i] += h / 6 * sum[i];
}

int main(void) {
    char line[1000];
    while (fgets(line, sizeof line, stdin)) {
        double step, y[2], torque;
        if (line[0] == '{') { /* {"hello": 1} */
            puts("{\"lines\": \"csv\", \"variables\": {\"angle\": [-3, 3], \"speed\": [-4, 4]}, "
                 "\"inputs\": {\"torque\": [-2, 2]}}");
        } else if (sscanf(line, "%lf,%lf,%lf,%lf", &step, &y[0], &y[1], &torque) == 4) {
            int parts = 1 + (int)fmin(1e5, fabs(step) / 1e-3);
            for (int part = 0; part < parts; part++) move(y, torque, step / parts);
            printf("%.17g,%.17g\n", y[0], y[1]);
        } else {
            fprintf(stderr, "plant: cannot read %s", line);
            return EXIT_FAILURE;
        }
        fflush(stdout); /* an answer that is kept back is waited for */
    }
    return EXIT_SUCCESS;
}
